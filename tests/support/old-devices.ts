// Databases of devices as the workers of earlier builds left them (tests/support/devices), under another person's name.
import fs from 'node:fs'
import { openDB } from 'idb'
import { uuidv7 } from '#shared/ids.ts'

export interface OldEntry {
  key: string
  name: string
  path: string
  body: Record<string, unknown> | null
  organizationId: string
  id: string
}
/** Builds before had none of many entries for one row. */
interface OldIndex {
  name: string
  keyPath: string | string[]
  unique: boolean
  multiEntry?: boolean
}
interface OldStore {
  name: string
  keyPath: string | string[] | null
  autoIncrement: boolean
  indexes: OldIndex[]
  rows: unknown[]
}
export interface OldDevice {
  version: number
  userId: string
  stores: OldStore[]
}

/** Its database as another person's: they and their organization are new at this server. */
export function readDevice(file: string, { userId }: { userId: string }): OldDevice {
  const text = fs.readFileSync(new URL(`devices/${file}.json`, import.meta.url), 'utf8')
  const { userId: before, stores } = JSON.parse(text) as OldDevice
  const [organization] = stores.find(({ name }) => name === 'organizations')!.rows as { id: string }[]
  return JSON.parse(text.replaceAll(before, userId).replaceAll(organization!.id, uuidv7())) as OldDevice
}

/** In the place of what is there. Runs in Node and, as it stands here, in a page. */
export async function writeDevice({ version, userId, stores }: OldDevice): Promise<void> {
  const name = `docket-device.${userId}`
  // Asked for in one breath: a worker that the browser starts meanwhile must not make one of today's in between.
  const gone = indexedDB.deleteDatabase(name)
  const opening = indexedDB.open(name, version)
  await new Promise((resolve, reject) => {
    gone.onsuccess = resolve
    gone.onerror = () => reject(gone.error!)
  })
  await new Promise((resolve, reject) => {
    opening.onupgradeneeded = () => {
      for (const { name: each, keyPath, autoIncrement, indexes, rows } of stores) {
        const store = opening.result.createObjectStore(each, { keyPath, autoIncrement })
        for (const { name: of, keyPath: path, ...how } of indexes) store.createIndex(of, path, how)
        for (const row of rows) store.put(row)
      }
    }
    opening.onerror = () => reject(opening.error!)
    opening.onsuccess = resolve
  })
  opening.result.close()
}

/** This person's own, as a build of that version left it. */
export async function keptBy(version: number, userId: string): Promise<OldDevice> {
  const database = await openDB(`docket-device.${userId}`)
  const read = async (name: string): Promise<OldStore> => {
    const { store } = database.transaction(name)
    const indexes = [...store.indexNames].map((each) => store.index(each))
    const rows = await store.getAll()
    return {
      name,
      keyPath: store.keyPath as string,
      autoIncrement: store.autoIncrement,
      indexes: indexes.map(toIndex),
      rows,
    }
  }
  // Rows of a store without a key path say nothing of their keys.
  const stores = await Promise.all([...database.objectStoreNames].filter((name) => name !== 'settled').map(read))
  const settled = { name: 'settled', keyPath: null, autoIncrement: false, indexes: [], rows: [] }
  database.close()
  return { version, userId, stores: [...stores, settled] }
}

const toIndex = ({ name, keyPath, unique, multiEntry }: Required<OldIndex>): OldIndex => ({
  name,
  keyPath,
  unique,
  multiEntry,
})

export const rowsOf = <Row>({ stores }: OldDevice, store: string) =>
  stores.find(({ name }) => name === store)!.rows as Row[]
