// What lies on the device for this origin, byte by byte: whether anything of a person can still be read in it, however it is spelled.
import type { Page } from '@playwright/test'

/** A place on the device and the bytes that lie there, in base64. */
type Found = [where: string, bytes: string]

/** Where each of these still lies, as `name in place`: in UTF-8, in UTF-16, in base64 of either kind, in hex, and a UUID also as its sixteen bytes. */
export async function tracesOf(page: Page, secrets: Readonly<Record<string, string>>): Promise<string[]> {
  const places = [...(await page.evaluate(readAll)), ...(await cookiesOf(page))].map(
    ([where, bytes]) => [where, Buffer.from(bytes, 'base64')] as const,
  )
  const found = Object.entries(secrets).flatMap(([name, secret]) => {
    const spelled = spellingsOf(secret)
    return places.flatMap(([where, bytes]) =>
      spelled.some((each) => bytes.includes(each)) ? [`${name} in ${where}`] : [],
    )
  })
  return [...new Set(found)].toSorted()
}

function spellingsOf(secret: string): Buffer[] {
  const hex = secret.replaceAll('-', '')
  const isUuid = /^[0-9a-f]{32}$/i.test(hex)
  const texts = isUuid ? [secret, secret.toUpperCase(), hex, hex.toUpperCase()] : [secret]
  const plain = [
    ...texts.flatMap((text) => {
      const wide = Buffer.from(text, 'utf16le')
      return [Buffer.from(text), wide, Buffer.from(wide).swap16()]
    }),
    ...(isUuid ? [Buffer.from(hex, 'hex')] : []),
  ]
  const encoded = plain.flatMap((bytes) => [bytes.toString('hex'), ...asBase64(bytes)])
  return [...plain, ...encoded.map((text) => Buffer.from(text))]
}

/** What is sure to stand in base64 of anything that holds these bytes: wherever a group of three begins. */
function asBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes])
    const known = shifted.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((shifted.length * 8) / 6))
    return [known, known.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** Also those that no script may read. */
async function cookiesOf(page: Page): Promise<Found[]> {
  const cookies = await page.context().cookies()
  return cookies.map((cookie) => [`cookie ${cookie.name}`, Buffer.from(JSON.stringify(cookie)).toString('base64')])
}

/** Runs in the page. */
async function readAll(): Promise<Found[]> {
  const found: Found[] = []
  const note = (where: string, bytes: Uint8Array) => {
    let text = ''
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
    found.push([where, btoa(text)])
  }
  /** Everything in a value, keys as well; what holds itself is looked at once. */
  const look = async (where: string, value: unknown, seen = new Set<unknown>()): Promise<void> => {
    if (value === null || value === undefined || seen.has(value)) return
    if (typeof value !== 'object')
      return note(where, new TextEncoder().encode(String(value as string | number | boolean)))
    seen.add(value)
    if (value instanceof Blob) {
      await look(where, [value.type, value instanceof File ? value.name : ''], seen)
      return look(where, await value.arrayBuffer(), seen)
    }
    if (value instanceof ArrayBuffer) return note(where, new Uint8Array(value))
    if (ArrayBuffer.isView(value)) return note(where, new Uint8Array(value.buffer))
    if (value instanceof Date) return look(where, value.toJSON(), seen)
    if (value instanceof CryptoKey)
      return value.extractable ? look(where, await crypto.subtle.exportKey('jwk', value), seen) : undefined
    const parts = value instanceof Map || value instanceof Set ? [...value.entries()] : Object.entries(value)
    for (const part of parts) for (const each of part) await look(where, each, seen)
  }
  const asked = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error!)
    })

  await look('localStorage', Object.entries(localStorage))
  await look('sessionStorage', Object.entries(sessionStorage))
  await look('history', [history.state, location.href, window.name])
  for (const { name } of await indexedDB.databases()) {
    const database = await asked(indexedDB.open(name!))
    await look('database names', name)
    for (const store of database.objectStoreNames) {
      const place = `database ${name!.replace(/\..*/, '')} ${store}`
      const kept = database.transaction(store).objectStore(store)
      const rows = await Promise.all([asked(kept.getAllKeys()), asked(kept.getAll())])
      await look(place, [store, [...kept.indexNames], rows])
    }
    database.close()
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      const answer = (await cache.match(request, { ignoreVary: true }))!
      const place = `cache ${new URL(request.url).pathname}`
      await look(place, [name, request.url, [...request.headers], answer.url, answer.statusText, [...answer.headers]])
      await look(place, await answer.arrayBuffer())
    }
  }
  const files = async (folder: FileSystemDirectoryHandle): Promise<void> => {
    for await (const [name, handle] of folder.entries()) {
      await look('files', name)
      await (handle instanceof FileSystemDirectoryHandle
        ? files(handle)
        : look('files', await (handle as FileSystemFileHandle).getFile()))
    }
  }
  await files(await navigator.storage.getDirectory())
  return found
}
