// Whoever signs out while something of theirs is still under way: nothing of it opens, and so makes, their database anew.
import { expect, test } from 'vitest'
import { startWalk } from '#tests/support/walk.ts'

const { walk, online, send, ready } = startWalk()

const copies = async () =>
  (await indexedDB.databases()).filter(({ name }) => name?.startsWith('docket-device.')).map(({ name }) => name)

test('what the server alone takes hangs: the look whether it is there comes after the sign-out', async () => {
  const { base } = await ready()
  expect(await copies()).toHaveLength(1)
  walk.network = async (request) => {
    if (request.url.endsWith('/invitations')) await new Promise((resolve) => setTimeout(resolve, 1000))
    return online(request)
  }
  const inviting = send('POST', `${base}/invitations`, { email: 'bob@example.com', role: 'member' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect((await send('POST', '/auth/logout')).status).toBe(204)
  await inviting
  expect(await copies()).toEqual([])
})
