// What the page knows of the session: a hint kept on the device for the first frame, and the gateway's word for everything after it.
import { ProblemError } from '#shared/problem.ts'
import { anonymous, isSignedIn, type Session } from '#shared/session.ts'
import { askSession, call } from './api.ts'
import { tryNow } from '#page/start/boot.ts'
import { hearBroadcasts } from '#page/device/broadcasts.ts'
import { showPerson, shownPerson } from './person.ts'
import { createTopic, useTopic } from './topic.ts'

/** Holds no token: only who it was, so that guards can decide before the worker has started. */
const hintKey = 'docket.session'
const waitingChecksEveryMs = 5000

let current: Session | null = null
let asked: Promise<Session> | null = null
let lastWaitingCheck = 0
/** Counts what this tab was told, so that an answer asked for before the last telling is known to be older than it. */
let tellings = 0
/** False where the device does not store: what stands there is then older than what this tab knows. */
let hintIsKept = true
const changes = createTopic<Session>()

/** The session as last known on this device; null on a device that knows nothing yet. */
export function knownSession(): Session | null {
  current ??= readHint()
  showPerson(userOf(current ?? anonymous))
  return current
}

/** The session for a guard: at once where the device knows one, or saw it end; else the gateway's word. */
export async function sessionForGuard(): Promise<Session> {
  const known = knownSession()
  return known && (isSignedIn(known) || endedElsewhere) ? known : rehydrate()
}

/** Asks the gateway anew; while the email waits to be verified the server is asked too, because the link may be opened elsewhere. */
export async function rehydrate(): Promise<Session> {
  asked ??= (async () => {
    const session = await settled(askSession)
    setSession(session)
    if (session.status !== 'WAITING_FOR_EMAIL_VERIFICATION' || Date.now() - lastWaitingCheck < waitingChecksEveryMs)
      return session
    lastWaitingCheck = Date.now()
    const renewed = await settled(() => call<Session>('refreshToken', { body: { accessToken: '', refreshToken: '' } }))
    setSession(renewed)
    return renewed
  })()
    .catch(() => knownSession() ?? anonymous)
    .finally(() => (asked = null))
  return asked
}

/** An answer that a telling overtook is older than the telling, whichever came last: asked again. */
async function settled(ask: () => Promise<Session>): Promise<Session> {
  const before = tellings
  const session = await ask()
  return before === tellings ? session : settled(askSession)
}

export function setSession(session: Session): void {
  const before = knownSession() ?? anonymous
  tellings += 1
  current = session
  showPerson(userOf(session))
  last = userOf(before) ?? last
  if (isSignedIn(session)) {
    leftOnPurpose = false
    noteLeaving(null)
  } else if (session.isLeft && !isLeftForGood()) {
    // A browser that was killed just after had not written down what this page noted of it.
    noteLeaving(isGone)
  }
  endedElsewhere = isSignedIn(before) && !isSignedIn(session) ? !leftOnPurpose : endedElsewhere && !isSignedIn(session)
  try {
    localStorage.setItem(hintKey, JSON.stringify(session))
    hintIsKept = true
  } catch {
    // A device without storage asks the gateway each time.
    hintIsKept = false
  }
  if (before.status !== session.status || userOf(before) !== userOf(session)) changes.tell(session)
}

/** Called when somebody signed in or out, here or in another tab, or a verification was noticed. */
export const onSessionChange = changes.listen

export function useSession(): Session {
  return useTopic(changes, () => knownSession() ?? anonymous, anonymous)
}

/** Whoever leaves on purpose does not come back to the same place: the next one here may be somebody else. */
let leftOnPurpose = false

export function hasLeft(): boolean {
  return leftOnPurpose
}

/** For every tab: a session that ends without it keeps what its person has typed, for them alone. Until they are gone it says who; then only that somebody left. */
const leavingKey = 'docket.leaving'
const isGone = '-'

function noteLeaving(person: string | null): void {
  try {
    if (person === null) localStorage.removeItem(leavingKey)
    else localStorage.setItem(leavingKey, person)
  } catch {
    // Without storage there is nothing that could be kept.
  }
}

/** Whether the session that ended was ended by a press on this device, whichever tab it was in. */
export function isLeftForGood(): boolean {
  return localStorage.getItem(leavingKey) !== null
}

/** Whoever left while the page that was to take what they typed off the device went away itself; null when nobody did. */
export function halfGone(): string | null {
  const leaver = localStorage.getItem(leavingKey)
  return leaver === isGone || leaver === shownPerson() ? null : leaver
}

/** Nothing of theirs is in this page's storage any more. */
export function noteGone(): void {
  if (isLeftForGood()) noteLeaving(isGone)
}

/** Whose screens this page showed before those of whoever is here now. */
let last: string | null = null

/** Whether somebody else was here before: where they were going is no place for this person. */
export function wasSomebodyElse(): boolean {
  return last !== null && last !== shownPerson()
}

/** The session ended without a press here: in another tab, from another device, or by the server. */
let endedElsewhere = false

export function wasSignedOut(): boolean {
  return endedElsewhere
}

/** `leaver`: whose screen was pressed; by the time it is done the tab may be somebody else's. */
export function signOut(leaver: string | null): Promise<boolean> {
  return leave(leaver, () => Promise.resolve())
}

/**
 * Ends the session of this person here after the work that ends it at the server; a work that fails leaves them signed in. False when somebody else is
 * signed in by now: the screen was old, and they stay.
 */
export async function leave(leaver: string | null, work: () => Promise<unknown>): Promise<boolean> {
  leftOnPurpose = true
  const before = tellings
  try {
    await work()
    noteLeaving(leaver)
    await call('logout', { body: {}, person: leaver })
  } catch (error) {
    leftOnPurpose = false
    noteLeaving(null)
    if (!(error instanceof ProblemError) || error.code !== 'invalid_token') throw error
    const present = userOf(await rehydrate())
    if (present === null || present === leaver) throw error
    return false
  }
  // Answered when everything of theirs is off the device: by then somebody may have signed in.
  if (before === tellings) setSession(anonymous)
  else await rehydrate()
  return true
}

/** Follows the other tabs and the worker, and looks again whenever the person comes back. */
export function followSession(): void {
  hearBroadcasts((broadcast) => {
    if (broadcast.type === 'session-changed') setSession(broadcast.session)
  })
  const lookAgain = () => {
    // A tab that slept did not hear another one sign out, or somebody else in: acted on before the gateway is asked.
    const known = knownSession() ?? anonymous
    const hint = readHint()
    if (hintIsKept && hint && isSignedIn(known) && userOf(hint) !== userOf(known)) setSession(hint)
    tryNow()
    void rehydrate()
  }
  const lookWhenSeen = () => {
    if (document.visibilityState === 'visible') lookAgain()
  }
  window.addEventListener('focus', lookWhenSeen)
  document.addEventListener('visibilitychange', lookWhenSeen)
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) lookAgain()
  })
}

function userOf(session: Session): string | null {
  return isSignedIn(session) ? session.userId : null
}

function readHint(): Session | null {
  try {
    const hint = JSON.parse(localStorage.getItem(hintKey) ?? 'null') as Session | null
    return hint && typeof hint.status === 'string' ? hint : null
  } catch {
    return null
  }
}
