// Whoever leaves takes their data with them, in every tab: it is out of sight and off the device at once; the guards then decide anew.
import { isSignedIn } from '#shared/session.ts'
import { forgetLogos } from '#page/device/logo-cache.ts'
import { shownPerson } from '#page/person.ts'
import type { PaintCache } from '#page/query-client.ts'
import { halfGone, isLeftForGood, knownSession, noteGone, onSessionChange } from '#page/session.ts'
import { text } from '#page/words/text.ts'
import { clearNotices, notify } from '#page/ui/notify.ts'

const tellingTakesMs = 150
/** The next screen's files may never come. */
const longestDrawMs = 4000

interface Parts {
  paintCache: PaintCache
  /** Lets the guards decide; done when their screen stands. */
  draw(): Promise<void>
  goHome(): Promise<void>
}

export function followPerson({ paintCache, draw, goHome }: Parts): void {
  knownSession()
  let person = shownPerson()
  const leaver = halfGone()
  if (leaver !== null) {
    paintCache.seal(leaver, false)
    void forgetLogos().then(noteGone)
  }
  // This tab was elsewhere when somebody left, and kept what was typed in it.
  if (isLeftForGood()) sessionStorage.clear()
  onSessionChange((session) => {
    const before = person
    person = shownPerson()
    if (before === null || before === person) return void draw()
    if (!isSignedIn(session)) return void takeAway(before, !isLeftForGood(), paintCache, draw)
    // The one before signed out, and this tab was not told: where it stands is their place.
    const drawHome = () => goHome().then(draw)
    void takeAway(before, false, paintCache, drawHome).then(() => notify('info', text.account.somebodyElse))
  })
}

async function takeAway(person: string, keepsTyped: boolean, paintCache: PaintCache, draw: () => Promise<void>) {
  // Dialogs, menus and notices stand beside the screen: all of it goes.
  document.body.hidden = true
  let isDrawn = false
  let isReplaced = false
  try {
    clearNotices()
    paintCache.seal(person, keepsTyped)
    // Killed before the pictures are gone, it goes on with the next start.
    void forgetLogos().then(noteGone)
    // Twenty tabs that draw at once on a small device would keep one another from hearing it: the telling first, then the drawing.
    await after(tellingTakesMs)
    const drawn = draw().then(() => true)
    // Late is better than never. The page that was to take its place would take what is typed here from now on.
    void drawn
      .then(() => {
        if (isReplaced) window.stop()
        document.body.hidden = false
      })
      .catch(() => {})
    isDrawn = await Promise.race([drawn, after(longestDrawMs).then(() => false)])
  } finally {
    if (isDrawn) document.body.hidden = false
    else {
      isReplaced = true
      // The worker has the files; the guard there sends whoever is signed in on.
      location.replace('/login')
    }
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
