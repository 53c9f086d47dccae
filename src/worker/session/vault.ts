// The session on disk (SESSION.md "Words"): tokens and device key in IndexedDB, written strictly durable, changed by compare-and-set only.
import { promisifyRequest, type UseStore } from 'idb-keyval'

export interface TokenState {
  authToken: string
  refreshToken: string
}

/** The record `authStore` of the seed, sections 3 and 9. */
interface AuthStore {
  version: 1
  state: TokenState
}

export interface Vault {
  /** Both empty strings when signed out, or when the record is of a version unknown here. */
  read(): Promise<TokenState>
  /** A sign-in: takes the place of whatever was there. */
  write(state: TokenState): Promise<void>
  /** Writes only if the refresh token is still the one that was sent; false when somebody else was faster. */
  writeIf(sentRefreshToken: string, state: TokenState): Promise<boolean>
  /** This device's key pair, made on first use; its private half can sign but never be read. */
  deviceKey(): Promise<CryptoKeyPair>
  /**
   * Forgets tokens and key at once. With `sentRefreshToken` only if that is still the one stored. What the server has yet to be told stays
   * as a farewell.
   */
  clear(options: { sentRefreshToken?: string; farewell: boolean }): Promise<boolean>
  /** Refresh tokens of sessions that ended here and that the server does not know to be over. */
  farewells(): Promise<string[]>
  farewellSaid(refreshToken: string): Promise<void>
}

const signedOut: TokenState = { authToken: '', refreshToken: '' }

const storeName = 'session'
const record = 'authStore'
const keyRecord = 'deviceKey'
const farewellRecord = 'farewells'

export function createVault(store: UseStore = strictStore()): Vault {
  /** One transaction that reads the record, decides, and writes. */
  const change = <T>(decide: (current: TokenState, objects: IDBObjectStore) => T): Promise<T> =>
    store('readwrite', async (objects) => {
      const finished = promisifyRequest(objects.transaction)
      const current = stateOf(await promisifyRequest(objects.get(record)))
      const result = decide(current, objects)
      await finished
      return result
    })
  const put = (objects: IDBObjectStore, state: TokenState) =>
    objects.put({ version: 1, state } satisfies AuthStore, record)

  return {
    read: () => store('readonly', async (objects) => stateOf(await promisifyRequest(objects.get(record)))),
    write: (state) => change((_, objects) => void put(objects, state)),
    writeIf: (sent, state) =>
      change((current, objects) => {
        if (current.refreshToken !== sent) return false
        put(objects, state)
        return true
      }),
    async deviceKey() {
      const read = () =>
        store('readonly', (objects) =>
          promisifyRequest(objects.get(keyRecord) as IDBRequest<CryptoKeyPair | undefined>),
        )
      const known = await read()
      if (known) return known
      const fresh = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
      return store('readwrite', async (objects) => {
        const finished = promisifyRequest(objects.transaction)
        // Another tab may have made one meanwhile: the first one written counts.
        const first = await promisifyRequest(objects.get(keyRecord) as IDBRequest<CryptoKeyPair | undefined>)
        if (!first) objects.put(fresh, keyRecord)
        await finished
        return first ?? fresh
      })
    },
    clear: ({ sentRefreshToken, farewell }) =>
      store('readwrite', async (objects) => {
        const finished = promisifyRequest(objects.transaction)
        const current = stateOf(await promisifyRequest(objects.get(record)))
        const mine = sentRefreshToken === undefined || current.refreshToken === sentRefreshToken
        if (mine) {
          const waiting = await promisifyRequest(objects.get(farewellRecord) as IDBRequest<string[] | undefined>)
          put(objects, signedOut)
          objects.delete(keyRecord)
          if (farewell && current.refreshToken) objects.put([...(waiting ?? []), current.refreshToken], farewellRecord)
        }
        await finished
        return mine
      }),
    farewells: () =>
      store(
        'readonly',
        async (objects) =>
          (await promisifyRequest(objects.get(farewellRecord) as IDBRequest<string[] | undefined>)) ?? [],
      ),
    farewellSaid: (refreshToken) =>
      store('readwrite', async (objects) => {
        const finished = promisifyRequest(objects.transaction)
        const waiting = await promisifyRequest(objects.get(farewellRecord) as IDBRequest<string[] | undefined>)
        objects.put(
          (waiting ?? []).filter((each) => each !== refreshToken),
          farewellRecord,
        )
        await finished
      }),
  }
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
    let objects: IDBObjectStore
    try {
      objects = begin(await open(), mode)
    } catch {
      opened = null
      objects = begin(await open(), mode)
    }
    return callback(objects)
  }
}
