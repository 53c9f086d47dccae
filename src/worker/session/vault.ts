// The session on disk (SESSION.md "Words"): tokens and device key in IndexedDB, written strictly durable, changed by compare-and-set only.
import { promisifyRequest, type UseStore } from 'idb-keyval'
import { unlessFull } from '#worker/full.ts'

export interface TokenState {
  authToken: string
  refreshToken: string
}

/** The record `authStore` of the seed, sections 3 and 9. */
interface AuthStore {
  version: 1
  state: TokenState
}

/** What was read, and in which epoch: every sign-out begins a new one, and what was begun in an older one has lost. */
export interface VaultState extends TokenState {
  epoch: number
  /** Whether the last session was ended by a press here. On the disk at once, unlike what the pages note in localStorage. */
  isLeft: boolean
}

export interface Vault {
  /** Both empty strings when signed out, or when the record is of a version unknown here. */
  read(): Promise<VaultState>
  /**
   * A sign-in: takes the place of whatever was there, with the key that the new session is bound to (a sign-out in another tab may have
   * deleted it meanwhile). The session it replaces stays as a farewell.
   */
  write(state: TokenState, key: CryptoKeyPair): Promise<void>
  /** Writes only if epoch and refresh token are still those that were read; false when somebody else was faster. */
  writeIf(read: VaultState, state: TokenState): Promise<boolean>
  /** This device's key pair, made on first use; its private half can sign but never be read. */
  deviceKey(): Promise<CryptoKeyPair>
  /**
   * Forgets tokens and key and begins a new epoch, at once. With `read` only if that is still what is stored. What the server has yet to be
   * told stays as a farewell. With `leaver` it is noted that this person left on purpose, until `hasLeft`: what else is theirs goes too, whoever is
   * killed meanwhile.
   */
  clear(options: { read?: VaultState; farewell: boolean; leaver?: string | null }): Promise<boolean>
  /** Who left, and of whom something may still be on this device. */
  leavers(): Promise<string[]>
  hasLeft(userId: string): Promise<void>
  /** Sessions that ended here and that the server does not know to be over. */
  farewells(): Promise<Farewell[]>
  farewellSaid(refreshToken: string): Promise<void>
}

/** A session to end at the server. Its key goes with it: a copied token alone ends nothing. */
export interface Farewell {
  refreshToken: string
  key: CryptoKeyPair
}

const signedOut: TokenState = { authToken: '', refreshToken: '' }

const storeName = 'session'
const record = 'authStore'
const keyRecord = 'deviceKey'
const farewellRecord = 'leftSessions'
const leaversRecord = 'leavers'
const epochRecord = 'epoch'
const leftRecord = 'isLeft'

export function createVault(store: UseStore = strictStore()): Vault {
  const get = <T>(objects: IDBObjectStore, key: string) =>
    promisifyRequest(objects.get(key) as IDBRequest<T | undefined>)
  const current = async (objects: IDBObjectStore): Promise<VaultState> => {
    const [stored, epoch, isLeft] = await Promise.all([
      get<AuthStore>(objects, record),
      get<number>(objects, epochRecord),
      get<boolean>(objects, leftRecord),
    ])
    return { ...stateOf(stored), epoch: epoch ?? 0, isLeft: isLeft ?? false }
  }
  /** One transaction that reads, decides, and writes. */
  const change = <T>(work: (stored: VaultState, objects: IDBObjectStore) => T | Promise<T>): Promise<T> =>
    store('readwrite', async (objects) => {
      const finished = promisifyRequest(objects.transaction)
      // When the work itself fails its error is the one to tell.
      finished.catch(() => {})
      const result = await work(await current(objects), objects)
      await finished
      return result
    })
  const put = (objects: IDBObjectStore, { authToken, refreshToken }: TokenState) =>
    objects.put({ version: 1, state: { authToken, refreshToken } } satisfies AuthStore, record)
  const list = async <T>(objects: IDBObjectStore, key: string) => (await get<T[]>(objects, key)) ?? []
  const without = <T>(key: string, isGone: (each: T) => boolean) =>
    change(async (_, objects) => {
      objects.put(
        (await list<T>(objects, key)).filter((each) => !isGone(each)),
        key,
      )
    })
  const addFarewell = async (objects: IDBObjectStore, refreshToken: string) => {
    const waiting = await list<Farewell>(objects, farewellRecord)
    const key = await get<CryptoKeyPair>(objects, keyRecord)
    if (key) objects.put([...waiting, { refreshToken, key }] satisfies Farewell[], farewellRecord)
  }

  let unwritten: Farewell[] = []

  return {
    read: () => store('readonly', current),
    write: (state, key) =>
      change(async (stored, objects) => {
        if (stored.refreshToken && stored.refreshToken !== state.refreshToken)
          await addFarewell(objects, stored.refreshToken)
        put(objects, state)
        objects.put(key, keyRecord)
        objects.delete(leftRecord)
      }),
    writeIf: (read, state) =>
      change((stored, objects) => {
        if (!isSame(stored, read)) return false
        put(objects, state)
        return true
      }),
    async deviceKey() {
      const known = await store('readonly', (objects) => get<CryptoKeyPair>(objects, keyRecord))
      if (known) return known
      const fresh = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
      return change(async (_, objects) => {
        // Another tab may have made one meanwhile: the first one written counts.
        const first = await get<CryptoKeyPair>(objects, keyRecord)
        if (!first) objects.put(fresh, keyRecord)
        return first ?? fresh
      })
    },
    clear({ read, farewell, leaver }) {
      const ifItIsThat = (work: (stored: VaultState, objects: IDBObjectStore) => Promise<void>) =>
        change(async (stored, objects) => {
          if (read && !isSame(stored, read)) return false
          await work(stored, objects)
          return true
        })
      return unlessFull(
        ifItIsThat(async (stored, objects) => {
          if (farewell && stored.refreshToken) await addFarewell(objects, stored.refreshToken)
          if (leaver) objects.put([...(await list<string>(objects, leaversRecord)), leaver], leaversRecord)
          put(objects, signedOut)
          objects.delete(keyRecord)
          objects.put(stored.epoch + 1, epochRecord)
          objects.put(farewell, leftRecord)
        }),
        // Nobody is kept signed in by a full device: what only takes away needs no room. The server is told of it from memory alone.
        () =>
          ifItIsThat(async ({ refreshToken }, objects) => {
            const key = await get<CryptoKeyPair>(objects, keyRecord)
            if (farewell && key) unwritten.push({ refreshToken, key })
            for (const each of [record, keyRecord]) objects.delete(each)
          }),
      )
    },
    leavers: () => store('readonly', (objects) => list<string>(objects, leaversRecord)),
    hasLeft: (userId) => without<string>(leaversRecord, (each) => each === userId),
    farewells: async () => [
      ...unwritten,
      ...(await store('readonly', (objects) => list<Farewell>(objects, farewellRecord))),
    ],
    async farewellSaid(said) {
      const isSaid = ({ refreshToken }: Farewell) => refreshToken === said
      if (unwritten.some(isSaid)) unwritten = unwritten.filter((each) => !isSaid(each))
      else await without(farewellRecord, isSaid)
    },
  }
}

function isSame(stored: VaultState, read: VaultState): boolean {
  return stored.epoch === read.epoch && stored.refreshToken === read.refreshToken
}

function stateOf(stored: unknown): TokenState {
  const known = stored as AuthStore | undefined
  return known?.version === 1 ? known.state : signedOut
}

/** A store of idb-keyval whose transactions are on disk when they complete; opened again once when the browser lost it (iOS does). */
function strictStore(): UseStore {
  let opened: Promise<IDBDatabase> | null = null
  const open = () => {
    opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('docket-session', 1)
      request.onupgradeneeded = () => request.result.createObjectStore(storeName)
      request.onsuccess = () => {
        request.result.onclose = () => (opened = null)
        request.result.onversionchange = () => request.result.close()
        resolve(request.result)
      }
      request.onerror = () => reject(request.error ?? new Error('IndexedDB did not open'))
    })
    opened.catch(() => (opened = null))
    return opened
  }
  const begin = (database: IDBDatabase, mode: IDBTransactionMode) =>
    database.transaction(storeName, mode, { durability: 'strict' }).objectStore(storeName)
  return async (mode, callback) => {
    const attempt = async () => callback(begin(await open(), mode))
    try {
      return await attempt()
    } catch {
      // A connection that was lost fails at the first transaction, or in the middle of one: nothing of that one is on the disk.
      void opened?.then((database) => database.close()).catch(() => {})
      opened = null
      return attempt()
    }
  }
}
