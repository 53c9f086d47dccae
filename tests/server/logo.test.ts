import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Organization } from '#shared/contract/organizations.ts'
import { isSoundPng } from '#server/organizations/sound-png.ts'
import { pictureOf } from '#shared/picture.ts'
import { expectProblem, origin, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import {
  anyPicture,
  issue,
  makeCustomer,
  makeInvoice,
  makeOrganization,
  makeQuote,
  moveQuote,
  saveLogo,
} from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'

/** The first bytes of a JPEG of 640 x 480: an application segment, then a frame. */
const jpeg = Uint8Array.from([
  0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 11, 8, 1, 0xe0, 2, 0x80, 3, 1, 0x11, 0,
])

describe('what a picture is', () => {
  const png = Uint8Array.from(Buffer.from(anyPicture(), 'base64'))
  test.each([
    ['a PNG', png, { mediaType: 'image/png', width: 1, height: 1 }],
    ['a JPEG', jpeg, { mediaType: 'image/jpeg', width: 640, height: 480 }],
    ['a PNG that ends before it says its size', png.slice(0, 20), null],
    ['a JPEG in four colours', jpeg.with(17, 4), null],
    ['a JPEG that ends before its frame', jpeg.slice(0, 12), null],
    ['a JPEG whose segments are none', Uint8Array.from([0xff, 0xd8, 1, 2, 3, 4]), null],
    ['SVG', Uint8Array.from(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), null],
    ['nothing', new Uint8Array(), null],
  ])('%s', (_, bytes, picture) => expect(pictureOf(bytes)).toEqual(picture))
})

describe('a PNG that is none to its last byte is not kept', () => {
  const chunk = (type: string, data: Uint8Array, length = data.length) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, data, Buffer.alloc(4)])
  }
  const head = (width: number, height: number, rest = [8, 0, 0, 0, 0]) => {
    const data = Buffer.alloc(13)
    data.writeUInt32BE(width)
    data.writeUInt32BE(height, 4)
    data.set(rest, 8)
    return chunk('IHDR', data)
  }
  const end = chunk('IEND', Buffer.alloc(0))
  const png = (...chunks: Buffer[]) =>
    Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...chunks])
  const pixels = (...bytes: number[]) => chunk('IDAT', deflateSync(Buffer.from(bytes)))

  test.each([
    ['one grey pixel', png(head(1, 1), pixels(0, 7), end)],
    ['one row of eight pixels of one bit', png(head(8, 1, [1, 0, 0, 0, 0]), pixels(0, 255), end)],
    ['pixels in two parts', png(head(2, 1), ...halves(deflateSync(Buffer.from([0, 7, 8]))), end)],
    ['interlaced', png(head(2, 2, [8, 0, 0, 0, 1]), pixels(0, 1, 0, 2, 0, 3, 4), end)],
  ])('%s is one', (_, bytes) => expect(isSoundPng(bytes)).toBe(true))

  test.each([
    ['a chunk whose length leads back', png(head(1, 1), chunk('tEXt', Buffer.alloc(0), 0xfffffff4), end)],
    ['a second size', png(head(1, 1), head(60_000, 60_000), pixels(0, 7), end)],
    ['pixels that are more than its size', png(head(1, 1), pixels(...Array<number>(5000).fill(0)), end)],
    ['pixels that are fewer', png(head(9, 9), pixels(0, 7), end)],
    ['pixels that do not unpack', png(head(1, 1), chunk('IDAT', Buffer.from([1, 2, 3])), end)],
    ['a filter that there is none of', png(head(1, 1), pixels(9, 7), end)],
    ['colours by a palette that is missing', png(head(1, 1, [8, 3, 0, 0, 0]), pixels(0, 7), end)],
    ['bits that no colour has', png(head(1, 1, [7, 0, 0, 0, 0]), pixels(0, 7), end)],
    ['no end', png(head(1, 1), pixels(0, 7))],
  ])('%s', (_, bytes) => expect(isSoundPng(bytes)).toBe(false))

  function halves(packed: Buffer) {
    return [chunk('IDAT', packed.subarray(0, 4)), chunk('IDAT', packed.subarray(4))]
  }
})

describe.each(engines)('the logo on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let organization: Organization
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    ann = await verifiedActor(app)
    organization = await makeOrganization(ann)
  })
  afterAll(() => app.db.close())

  const bytesOf = async (path: string) => {
    const request = new Request(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${ann.accessToken}` } })
    const answer = await app.fetch(request)
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  test('is refused in words where it is none, or too large', async () => {
    const big = Buffer.concat([Buffer.from(anyPicture(), 'base64'), Buffer.alloc(200_000)]).toString('base64')
    const wide = Buffer.from(anyPicture(), 'base64')
    wide.writeUInt32BE(1201, 16)
    const endless = Buffer.from(anyPicture(), 'base64')
    endless.writeUInt32BE(0xfffffff4, 33)
    const wrong: [content: string, detail: string][] = [
      [endless.toString('base64'), 'This picture is damaged: save it once more, or as a JPEG'],
      [Buffer.from('<svg/>').toString('base64'), 'This is no PNG or JPEG picture'],
      [big, 'This picture is too large: at most 200 kB'],
      [wide.toString('base64'), 'This picture is too large: at most 1200 pixels wide and high'],
      ['no base64!', 'This is no picture'],
    ]
    for (const [content, detail] of wrong) {
      const body = { content }
      const refused = await ann.send('PUT', `/organizations/${organization.id}/logo`, {
        body,
        headers: { 'if-match': '"1"' },
      })
      expectProblem(refused, { status: 422, errors: [{ pointer: '/content', detail }] })
    }
    expect((await ann.send('GET', `/organizations/${organization.id}`)).body.logo).toBeNull()
  })

  test('stands on what is issued with it, and on that for ever', async () => {
    const bob = await makeCustomer(ann, organization.id)
    const hash = await saveLogo(ann, organization.id)
    const shown = await ann.send('GET', `/organizations/${organization.id}`)
    expect(shown.body.logo).toEqual({ hash, mediaType: 'image/png', width: 1, height: 1 })
    const kept = await bytesOf(`/organizations/${organization.id}/logo?hash=${hash}`)
    expect(kept.answer.headers.get('content-type')).toBe('image/png')
    expect(createHash('sha256').update(kept.bytes).digest('hex')).toBe(hash)

    // A change of the settings that knows nothing of it lets it stay.
    const { logo: _, role: __, ...older } = shown.body
    const renamed = await ann.send('PUT', `/organizations/${organization.id}`, {
      body: { ...older, name: 'Ann & Co' },
      headers: { 'if-match': `"${shown.body.version}"` },
    })
    expect(renamed.body.logo.hash).toBe(hash)

    const issued = await issue(ann, await makeInvoice(ann, organization.id, bob.id))
    expect(issued.seller!.logo!.hash).toBe(hash)
    const taken = await ann.send('PUT', `/organizations/${organization.id}/logo`, {
      body: { content: null },
      headers: { 'if-match': `"${renamed.body.version}"` },
    })
    expect(taken.body.logo).toBeNull()
    const later = await issue(ann, await makeInvoice(ann, organization.id, bob.id))
    expect(later.seller!.logo ?? null).toBeNull()
    const image = '/Subtype /Image'
    const pdf = (id: string) => bytesOf(`/organizations/${organization.id}/invoices/${id}/pdf`)
    expect((await pdf(issued.id)).bytes.includes(image)).toBe(true)
    expect((await pdf(later.id)).bytes.includes(image)).toBe(false)
  })

  test('stands on the public page of a quote as on its PDF', async () => {
    const bob = await makeCustomer(ann, organization.id)
    await saveLogo(ann, organization.id)
    const { id } = await moveQuote(ann, await makeQuote(ann, organization.id, bob.id), 'issue')
    const token = `q_${id}`
    const tokenHash = createHash('sha256').update(token).digest('base64url')
    await ann.send('POST', `/organizations/${organization.id}/quotes/${id}/public-links`, { body: { tokenHash } })
    const page = await app.send('GET', `/api/v1/public/quotes/${token}`)
    expect(page.text).toContain('<img class="logo" alt="" src="data:image/png;base64,')
    expect((await bytesOf(`/organizations/${organization.id}/quotes/${id}/pdf`)).bytes.includes('/Image')).toBe(true)
  })

  test('the app’s role can neither change nor delete a picture', async () => {
    const scope = { organizationIds: [organization.id] }
    await expect(
      app.db.asApp(scope, (tx) => tx.updateTable('logos').set({ mediaType: 'x' }).execute()),
    ).rejects.toMatchObject({ code: '42501' })
    await expect(app.db.asApp(scope, (tx) => tx.deleteFrom('logos').execute())).rejects.toMatchObject({ code: '42501' })
  })
})
