// Requests per second: the authenticated list of fifty invoices against the same query in a bare handler on the same PostgreSQL.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { freePort, startServer } from '#tests/support/server-process.ts'
import { startCluster } from '#tools/postgres.ts'
import { root } from '#tools/sources.ts'
import { figure } from './numbers.ts'
import { seed } from './seed.ts'

const rounds = 7
const roundMs = 2000
const atOnce = 16

export async function measureRequests(dataDir: string) {
  const cluster = await startCluster()
  cluster.createDatabase('docket')
  const databaseUrl = cluster.url('docket')
  const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl }, { file: 'dist/server/server.js' })
  const { account, list, organizationId } = await seed(server.url)
  const port = await freePort()
  const bare = spawn(process.execPath, [path.join(root, 'bench/bare-server.ts')], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: cluster.url('docket', 'postgres'),
      ORGANIZATION_ID: organizationId,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(bare.stdout, 'data')
  const authorization = account.bearer
  const targets = {
    docket: () => fetch(`${server.url}/api/v1${list}`, { headers: { authorization } }),
    bare: () => fetch(`http://localhost:${port}/`),
  }
  const perSecond = { docket: [] as number[], bare: [] as number[] }
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of ['docket', 'bare'] as const) {
      const rate = await load(targets[name])
      // The first round warms up.
      if (round > 0) perSecond[name].push(rate)
    }
  }
  const ratios = perSecond.docket.map((rate, round) => rate / perSecond.bare[round]!)
  bare.kill()
  await server.end('SIGTERM')
  await cluster.stop()
  return {
    docketPerSecond: figure(perSecond.docket),
    barePerSecond: figure(perSecond.bare),
    docketToBare: figure(ratios),
  }
}

/** Calls per second with a fixed number under way. */
async function load(call: () => Promise<Response>): Promise<number> {
  const end = performance.now() + roundMs
  let done = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < end) {
        const answer = await call()
        if (!answer.ok) throw new Error(`The bench got ${answer.status}`)
        await answer.text()
        done += 1
      }
    }),
  )
  return done / (roundMs / 1000)
}
