// Every shape of an answer to the refresh call, in a real browser: refused, undeliverable or renewed, as SESSION.md says.
import type { Page } from '@playwright/test'
import { decodeJwt } from '#shared/jwt.ts'
import type { PageMessage } from '#shared/worker-messages.ts'
import { answerShapes, asAnswer, type AnswerShape } from '#tests/support/answer-shapes.ts'
import { controlled, expect, signUp, test } from '#tests/support/browser.ts'
import {
  bareCalls,
  bringBack,
  expireToken,
  fetchIn,
  isRefresh,
  openDevtools,
  setAside,
  vaultOf,
} from '#tests/support/session-faults.ts'

const kept = answerShapes.filter(({ verdict }) => verdict === 'undeliverable')
const half = Math.ceil(kept.length / 2)

test('there are at least 80 of them', () => {
  expect(answerShapes.length).toBeGreaterThanOrEqual(80)
  const names = answerShapes.map(({ name, verdict }) => `${verdict}: ${name}`)
  expect(new Set(names).size).toBe(names.length)
})

for (const [part, shapes] of [kept.slice(0, half), kept.slice(half)].entries())
  test(`undeliverable keeps the session, part ${part + 1}`, async ({ page, docket, network }) => {
    await signUp(page, docket, { organization: 'Ann Works' })
    const devtools = await openDevtools(page)
    for (const shape of shapes) {
      await test.step(shape.name, async () => {
        await expireToken(page, (good) => (network.before = answering(shape, good)))
        const before = await vaultOf(page)
        const { status, body } = await fetchIn(page, '/organizations')
        expect.soft({ status, code: body?.code }, shape.name).toEqual({ status: 503, code: 'undeliverable' })
        expect.soft(await vaultOf(page), shape.name).toEqual(before)
        expect.soft((await fetchIn(page, '/auth/session')).body.status, shape.name).toBe('ACTIVE')
        network.before = null
        await tryNow(page)
        // What the server itself asked for is kept; a new worker knows nothing of it. Not after each: this Chromium sometimes dies of being
        // told to stop its workers hundreds of times.
        if (shape.name.includes('Retry-After')) await devtools.killWorkers()
        expect.soft((await fetchIn(page, '/organizations')).status, shape.name).toBe(200)
      })
    }
    await expect(page.getByRole('heading', { name: 'Ann Works' })).toBeVisible()
    expect(bareCalls(network)).toEqual([])
  })

test('refused ends it in every tab; renewed goes on', async ({ page, docket, network, context }) => {
  await signUp(page, docket, { organization: 'Ann Works' })
  // Asks and looks at the disk, and shows nothing that could ask by itself.
  const asker = await context.newPage()
  await asker.goto('/manifest.webmanifest')
  await controlled(asker)
  for (const shape of answerShapes.filter(({ verdict }) => verdict !== 'undeliverable')) {
    await test.step(`${shape.verdict}: ${shape.name}`, async () => {
      await setAside(asker)
      const good = await expireToken(asker, (known) => (network.before = answering(shape, known)))
      const { status } = await fetchIn(asker, '/organizations')
      network.before = null
      if (shape.verdict === 'renewed') {
        expect.soft(status, shape.name).toBe(200)
        expect.soft(await vaultOf(asker), shape.name).toEqual(good)
        await expect(page.getByRole('heading', { name: 'Ann Works' })).toBeVisible()
        return
      }
      expect.soft(status, shape.name).toBe(401)
      expect.soft(await vaultOf(asker), shape.name).toEqual({ authToken: '', refreshToken: '' })
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
      await expect(page.getByText('Ann Works')).toHaveCount(0)
      await bringBack(asker)
      await page.goto('/dashboard/organizations')
      await expect(page.getByRole('link', { name: /Ann Works/ })).toBeVisible()
    })
  }
  expect(bareCalls(network)).toEqual([])
})

/** The page comes back: the worker need not wait with the next renewal. */
async function tryNow(page: Page): Promise<void> {
  await page.evaluate((message) => navigator.serviceWorker.controller!.postMessage(message), {
    type: 'try-now',
  } satisfies PageMessage)
}

function answering(shape: AnswerShape, good: { authToken: string; refreshToken: string }) {
  const decoded = decodeJwt(good.authToken)
  const { sid = '', sub = '' } = decoded.ok ? decoded.value : {}
  const raw = shape.answer({ sid, sub, accessToken: good.authToken, refreshToken: good.refreshToken })
  return async (request: Parameters<typeof isRefresh>[0]) => (isRefresh(request) ? asAnswer(raw) : undefined)
}
