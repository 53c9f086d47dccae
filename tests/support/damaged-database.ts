// What a kill in the middle of a write leaves in Chromium's IndexedDB: found at the next start, it has the browser begin with an empty one (decision 039).
import fs from 'node:fs'
import path from 'node:path'

/** Of a browser that is not running. */
export function damageDatabase(profile: string): void {
  const databases = path.join(profile, 'Default/IndexedDB')
  for (const folder of fs.readdirSync(databases).filter((name) => name.endsWith('.leveldb')))
    for (const name of fs.readdirSync(path.join(databases, folder)).filter((each) => each.endsWith('.log')))
      damage(path.join(databases, folder, name))
}

/** A byte in its middle. */
function damage(file: string): void {
  const bytes = fs.readFileSync(file)
  const at = Math.floor(bytes.length / 2)
  if (bytes.length > 0) bytes[at] = bytes[at]! ^ 0xff
  fs.writeFileSync(file, bytes)
}
