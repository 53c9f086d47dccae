// The server as a process: what it prints, refuses, survives and finishes.
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { verifiedAccount } from '#tests/support/api-client.ts'
import { customerBody, invoiceBody, organizationBody } from '#tests/support/bodies.ts'
import { freshDatabase } from '#tests/support/database.ts'
import { until } from '#tests/support/people.ts'
import { runToEnd, startServer, type Environment, type ServerProcess } from '#tests/support/server-process.ts'
import { uuidv7 } from '#shared/ids.ts'

let folder: string
const running: ServerProcess[] = []
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-process-'))
})
afterEach(async () => {
  for (const server of running.splice(0)) if (server.child.exitCode === null) await server.end('SIGKILL')
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

async function start(environment: Environment): Promise<ServerProcess> {
  const server = await startServer(environment)
  running.push(server)
  return server
}

describe('starting', () => {
  test('the first time: makes its folder and keys, says where it is, where the data lies and how to read the mail', async () => {
    const dataDir = path.join(folder, 'first')
    const server = await start({ DATA_DIR: dataDir })
    expect(server.output()).toContain(`Docket is at ${server.url}`)
    expect(server.output()).toContain(`data: ${dataDir}`)
    expect(server.output()).toContain(`mail: ${server.url}/dev/mailbox`)
    const { call } = await verifiedAccount(server.url)
    expect((await call('POST', '/organizations', organizationBody())).status).toBe(201)
    // A proxy that keeps its connections for two minutes never meets one that is just being closed.
    expect((await fetch(`${server.url}/healthz`)).headers.get('keep-alive')).toBe('timeout=130')
    expect(fs.statSync(path.join(dataDir, 'database')).mode & 0o077).toBe(0)
    expect(await server.end('SIGTERM')).toBe(0)
  })

  test.each([
    ['a bad setting', { PORT: 'x' }, 'PORT must be a port'],
    ['a public address without mail', { PUBLIC_URL: 'https://docket.example' }, 'SMTP_URL is needed'],
    ['a public address without https', { PUBLIC_URL: 'http://docket.example' }, 'PUBLIC_URL must be https'],
  ])('%s is one clear line and exit 1', async (_, environment, message) => {
    const { code, output } = await runToEnd('src/server.ts', [], {
      DATA_DIR: path.join(folder, 'none'),
      ...environment,
    })
    expect(code).toBe(1)
    expect(output).toContain(`Docket cannot start: ${message}`)
    expect(output.trim().split('\n')).toHaveLength(1)
  })

  test('a port in use, and a database that is not there, are one clear line and exit 1', async () => {
    const taken = net.createServer().listen(0, 'localhost')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as net.AddressInfo
    const { dataDir } = await freshDatabase('embedded')
    const inUse = await runToEnd('src/server.ts', [], { PORT: String(port), DATA_DIR: dataDir })
    expect(inUse).toEqual({ code: 1, output: `Docket cannot start: PORT ${port} is in use\n` })
    taken.close()
    const nowhere = `postgresql://docket@127.0.0.1:${port}/docket`
    const gone = await runToEnd('src/server.ts', [], { DATABASE_URL: nowhere, DATA_DIR: dataDir })
    expect(gone.code).toBe(1)
    expect(gone.output).toMatch(/^Docket cannot start: .*\n$/)
  })

  test('a second process on the same folder is refused, and the first goes on', async () => {
    const { dataDir } = await freshDatabase('embedded')
    const first = await start({ DATA_DIR: dataDir })
    const second = await runToEnd('src/server.ts', [], { PORT: '1', DATA_DIR: dataDir })
    expect(second.code).toBe(1)
    expect(second.output).toContain('Another Docket process is using')
    const { call } = await verifiedAccount(first.url)
    expect((await call('GET', '/organizations')).status).toBe(200)
  })
})

test('SIGTERM: what is under way is answered, then it ends with 0', async () => {
  for (const databaseUrl of [undefined, (await freshDatabase('postgresql')).databaseUrl]) {
    const { dataDir } = await freshDatabase('embedded')
    const server = await start({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl })
    // `100 Continue` says that a request is at the server: all are under way, and none is done.
    const registrations = Array.from({ length: 8 }, () =>
      http.request(`${server.url}/api/v1/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', expect: '100-continue' },
      }),
    )
    const arrived = registrations.map((each) => once(each, 'continue'))
    for (const each of registrations) each.flushHeaders()
    await Promise.all(arrived)
    const ended = server.end('SIGTERM')
    const answers = registrations.map((each) => once(each, 'response') as Promise<[http.IncomingMessage]>)
    for (const each of registrations)
      each.end(JSON.stringify({ name: 'Ann', email: `${uuidv7()}@example.com`, password: 'correct horse' }))
    const statuses = (await Promise.all(answers)).map(([answer]) => answer.resume().statusCode)
    expect(statuses).toEqual(Array(8).fill(201))
    expect(await ended).toBe(0)
  }
})

test('SIGTERM with a request that never ends: ends with 0 all the same', async () => {
  const { dataDir } = await freshDatabase('embedded')
  const server = await start({ DATA_DIR: dataDir })
  const socket = net.connect(Number(new URL(server.url).port), 'localhost')
  socket.on('error', () => {})
  socket.write(
    'POST /api/v1/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"em',
  )
  await new Promise((resolve) => setTimeout(resolve, 200))
  const began = Date.now()
  expect(await server.end('SIGTERM')).toBe(0)
  expect(Date.now() - began).toBeLessThan(60_000)
})

test('killed with -9 ten times under writes: whatever was answered is there, numbers have no gap', async () => {
  const { dataDir } = await freshDatabase('embedded')
  const kills = 10
  const acknowledged = { customers: [] as string[], issued: [] as string[] }
  const account = await verifiedAccount((await start({ DATA_DIR: dataDir })).url)
  const organization = organizationBody()
  const base = `/organizations/${organization.id}`
  const buyer = customerBody()
  await account.call('POST', '/organizations', organization)
  await account.call('POST', `${base}/customers`, buyer)

  for (let kill = 1; kill <= kills; kill += 1) {
    const server = running.at(-1)!
    const { call } = account.at(server.url)
    const write = async () => {
      for (;;) {
        const customer = customerBody()
        const draft = invoiceBody(buyer.id)
        if ((await call('POST', `${base}/customers`, customer)).status === 201) acknowledged.customers.push(customer.id)
        await call('POST', `${base}/invoices`, draft)
        const issued = await call('POST', `${base}/invoices/${draft.id}/issue`, undefined, { 'if-match': '"1"' })
        if (issued.status === 200) acknowledged.issued.push(issued.body.number)
      }
    }
    // Each goes on until the server is gone under it.
    const writers = Array.from({ length: 4 }, () => write().catch(() => {}))
    // At any moment of their work, however slow the machine: not before something was answered.
    const before = acknowledged.customers.length
    await until(() => acknowledged.customers.length > before)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300))
    await server.end('SIGKILL')
    await Promise.all(writers)
    running.pop()
    await start({ DATA_DIR: dataDir })
  }

  const { call } = account.at(running.at(-1)!.url)
  const everything = async (list: string) => {
    const rows: { id: string; number: string }[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = new URLSearchParams({ limit: '200', ...(cursor && { cursor }) })
      const { body } = await call('GET', `${base}/${list}${list.includes('?') ? '&' : '?'}${query}`)
      rows.push(...body.data)
      cursor = body.page.nextCursor
    }
    return rows
  }
  const customers = new Set((await everything('customers')).map(({ id }) => id))
  expect(acknowledged.customers.length).toBeGreaterThan(kills)
  expect(acknowledged.customers.filter((id) => !customers.has(id))).toEqual([])
  const numbers = (await everything('invoices?status=issued')).map(({ number }) => number)
  expect(acknowledged.issued.filter((number) => !numbers.includes(number))).toEqual([])
  const counted = numbers.map((number) => Number(number.slice(-4))).toSorted((a, b) => a - b)
  expect(counted).toEqual(counted.map((_, index) => index + 1))
})
