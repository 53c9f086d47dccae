// Whoever signs out while something of theirs is still under way: nothing of it opens, and so makes, their database anew.
import { expect, test } from 'vitest'
import { copiesHere } from '#worker/copy/stores.ts'
import { startWalk } from '#tests/support/walk.ts'

const { walk, online, send, ready } = startWalk()

test('what the server alone takes hangs: the look whether it is there comes after the sign-out', async () => {
  const { base } = await ready()
  expect(await copiesHere()).toHaveLength(1)
  walk.network = async (request) => {
    if (request.url.endsWith('/invitations')) await new Promise((resolve) => setTimeout(resolve, 1000))
    return online(request)
  }
  const inviting = send('POST', `${base}/invitations`, { email: 'bob@example.com', role: 'viewer' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect((await send('POST', '/auth/logout')).status).toBe(204)
  await inviting
  expect(await copiesHere()).toEqual([])
})
