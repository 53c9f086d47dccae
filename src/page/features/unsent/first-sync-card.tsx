import { useFirstSync } from '#page/device/first-sync.ts'
import { formatCount } from '#page/words/format.ts'
import { pauseFirstSync } from '#page/device/outbox-calls.ts'
import { shownPerson } from '#page/person.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { askUnsent } from '#page/device/unsent-counts.ts'

const t = text.unsent

/** How far the first loading of an organization has come, and the way to have it rest: it may be large, and the connection dear. */
export function FirstSyncCard() {
  const { progress } = useFirstSync()
  if (!progress?.total) return null
  const isPaused = progress.isPaused ?? false
  async function turn(): Promise<void> {
    await pauseFirstSync(!isPaused)
    const person = shownPerson()
    if (person !== null) await askUnsent(person)
  }
  return (
    <section aria-label={t.firstSync.title} className="grid gap-2 rounded-xl border border-line bg-surface p-4">
      <h2 className="font-semibold">{isPaused ? t.firstSync.paused : t.firstSync.title}</h2>
      <progress
        className="h-2 w-full appearance-none rounded bg-line [&::-moz-progress-bar]:bg-info [&::-webkit-progress-bar]:rounded [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:rounded [&::-webkit-progress-value]:bg-info"
        value={progress.told}
        max={Math.max(progress.total, 1)}
        aria-label={t.firstSync.title}
      />
      <p className="text-sm text-muted tabular-nums">
        {t.loading(formatCount(progress.told), formatCount(progress.total))}. {t.firstSync.lead}
      </p>
      <Button className="justify-self-start" onClick={() => void turn()}>
        {isPaused ? t.firstSync.resume : t.firstSync.pause}
      </Button>
    </section>
  )
}
