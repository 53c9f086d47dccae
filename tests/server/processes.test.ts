// Several processes on one database: what one of them learns holds at the others.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { claims } from '#tests/support/app.ts'
import { freshDatabase } from '#tests/support/database.ts'
import { makeDevice, prove } from '#tests/support/device.ts'
import { password, until } from '#tests/support/people.ts'
import { startServer, type ServerProcess } from '#tests/support/server-process.ts'

let servers: [ServerProcess, ServerProcess]
beforeAll(async () => {
  const { dataDir, databaseUrl } = await freshDatabase('postgresql')
  const start = () => startServer({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl })
  servers = [await start(), await start()]
})
afterAll(async () => {
  for (const server of servers) await server.end('SIGTERM')
})

async function post(server: ServerProcess, path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
  // Whatever came: tests say what it must be.
  const text = await answer.text()
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: answer.status, headers: answer.headers, body: (text ? JSON.parse(text) : null) as any }
}

function registration() {
  return { name: 'Ann', email: `${uuidv7()}@example.com`, password }
}

describe('a session that is ended at one', () => {
  test.each(['signed out', 'ended from another device', 'ended by a new password'])(
    'is over at the other within a second: %s',
    async (how) => {
      const [here, there] = servers
      const who = registration()
      const { accessToken } = (await post(here, '/auth/register', who)).body
      const other = (await post(here, '/auth/login', who)).body
      const seen = async () => {
        const headers = { authorization: `Bearer ${accessToken}` }
        return (await fetch(`${there.url}/api/v1/account`, { headers })).status
      }
      // Asked again and again, so that the other process has just looked when it happens.
      expect(await seen()).toBe(200)
      const own = { authorization: `Bearer ${accessToken}` }
      const others = { authorization: `Bearer ${other.accessToken}` }
      if (how === 'signed out') await post(here, '/auth/logout', {}, own)
      else if (how === 'ended from another device') {
        const path = `${here.url}/api/v1/account/sessions/${claims(accessToken).sid}`
        expect((await fetch(path, { method: 'DELETE', headers: others })).status).toBe(204)
      } else {
        const body = JSON.stringify({ currentPassword: password, password: 'a new password' })
        const headers = { ...others, 'content-type': 'application/json' }
        const changed = await fetch(`${here.url}/api/v1/account/password`, { method: 'PUT', headers, body })
        expect(changed.status).toBe(204)
      }
      const ended = performance.now()
      let lastGood = 0
      await until(async () => {
        const asked = performance.now()
        if ((await seen()) === 401) return true
        lastGood = asked - ended
        return false
      })
      // The bound is the product's promise, not a measure of this machine: it is kept by a clock of half a second.
      expect(lastGood).toBeLessThan(1000)
    },
  )
})

test('wrong passwords are counted together', async () => {
  const who = registration()
  await post(servers[0], '/auth/register', who)
  const statuses: number[] = []
  for (let turn = 0; turn < 11; turn += 1)
    statuses.push((await post(servers[turn % 2]!, '/auth/login', { ...who, password: 'guessed it' })).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
})

test('a nonce of one is good at the other, and a proof is good once in all', async () => {
  const [here, there] = servers
  const device = await makeDevice()
  const loginPath = '/api/v1/auth/register'
  const nonce = (await fetch(`${here.url}/api/v1/openapi.json`)).headers.get('dpop-nonce')
  const at = (server: ServerProcess) => ({ htu: server.url + loginPath })
  const proof = await prove(device, loginPath, nonce, at(there))
  expect((await post(there, '/auth/register', registration(), { dpop: proof })).status).toBe(201)
  const again = await post(there, '/auth/register', registration(), { dpop: proof })
  expect(again).toMatchObject({ status: 400, body: { code: 'use_dpop_nonce' } })
})
