// Puts a build in the place of the one before.
import fs from 'node:fs'
import path from 'node:path'

/**
 * Moves `fresh` to where `served` is, but keeps the hashed files of the build before: a page that was opened before the deploy still loads its
 * parts. The build before that one goes. `list` notes whose files are whose, newest first.
 */
export function publish(fresh: string, served: string, list: string): void {
  fs.mkdirSync(path.dirname(served), { recursive: true })
  const own = fs.readdirSync(path.join(fresh, 'assets')).toSorted()
  const [last = [], older = []] = fs.existsSync(list) ? (JSON.parse(fs.readFileSync(list, 'utf8')) as string[][]) : []
  // The same page built once more (the server alone changed) is no build before itself: pages of the one before it are still open.
  const before = own.join() === last.join() ? older : last
  for (const name of before) {
    const old = path.join(served, 'assets', name)
    const place = path.join(fresh, 'assets', name)
    if (fs.existsSync(old) && !fs.existsSync(place)) fs.copyFileSync(old, place)
  }
  fs.rmSync(served, { recursive: true, force: true })
  fs.renameSync(fresh, served)
  fs.writeFileSync(list, JSON.stringify([own, before]))
}
