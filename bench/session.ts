// What the session costs: a renewal against a plain call, a proof made and checked, and a light call while fifty people sign in.
import { generateKeyPair } from 'jose'
import { createProofs } from '#server/http/proof.ts'
import { openDatabase } from '#server/db/database.ts'
import { verifiedAccount } from '#tests/support/api-client.ts'
import { makeDevice, prove } from '#tests/support/device.ts'
import { password } from '#tests/support/people.ts'
import { startServer, type ServerProcess } from '#tests/support/server-process.ts'
import { startCluster } from '#tools/postgres.ts'
import { makeProof } from '#worker/session/device-key.ts'
import { uuidv7 } from '#shared/ids.ts'
import { figure, percentile } from './numbers.ts'

const calls = 300
const proofs = 500
const signInsAtOnce = 50
const crowds = 5

export async function measureSession(dataDir: string) {
  const cluster = await startCluster()
  cluster.createDatabase('docket')
  const databaseUrl = cluster.url('docket')
  const server = await startServer(
    { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, TRUST_PROXY: '1' },
    { file: 'dist/server/server.js' },
  )
  const results = {
    refresh: await measureRefresh(server),
    proof: await measureProof(databaseUrl, dataDir),
    lightCallWhileSigningIn: await measureCrowd(server),
  }
  await server.end('SIGTERM')
  await cluster.stop()
  return results
}

/** Side by side: a renewal with its proof, and the plain call that any screen makes. */
async function measureRefresh({ url }: ServerProcess) {
  const device = await makeDevice()
  const path = '/api/v1/auth/register'
  let nonce = (await fetch(`${url}/api/v1/openapi.json`)).headers.get('dpop-nonce')
  const post = async (to: string, body: object) => {
    const dpop = await prove(device, to, nonce, { htu: url + to })
    const headers = { 'content-type': 'application/json', dpop }
    const answer = await fetch(url + to, { method: 'POST', body: JSON.stringify(body), headers })
    if (!answer.ok) throw new Error(`The bench got ${answer.status}`)
    nonce = answer.headers.get('dpop-nonce')
    return (await answer.json()) as { accessToken: string; refreshToken: string }
  }
  let pair = await post(path, { name: 'Ann', email: `${uuidv7()}@example.com`, password })
  const times = { refresh: [] as number[], account: [] as number[] }
  for (let call = 0; call < calls; call += 1) {
    // The limit per session and key is far above what a device does in this time; a new one keeps the bench below it.
    if (call % 100 === 99) pair = await post(path, { name: 'Ann', email: `${uuidv7()}@example.com`, password })
    let began = performance.now()
    pair = await post('/api/v1/auth/refresh-token', pair)
    times.refresh.push(performance.now() - began)
    began = performance.now()
    const answer = await fetch(`${url}/api/v1/account`, { headers: { authorization: `Bearer ${pair.accessToken}` } })
    await answer.text()
    times.account.push(performance.now() - began)
  }
  const [refreshMs, plainCallMs] = [figure(times.refresh), figure(times.account)]
  return { refreshMs, plainCallMs, refreshToPlainCall: Number((refreshMs.median / plainCallMs.median).toFixed(2)) }
}

/** The device's part and the server's, both as shipped; the server's includes the row that remembers the proof. */
async function measureProof(databaseUrl: string, dataDir: string) {
  const origin = 'http://localhost:8080'
  const db = await openDatabase({ dataDir, databaseUrl })
  const checker = createProofs(db, Buffer.alloc(32, 1), origin)
  const pair = (await generateKeyPair('ES256')) as CryptoKeyPair
  const signed: number[] = []
  const checked: number[] = []
  for (let each = 0; each < proofs; each += 1) {
    const nowMs = Date.now()
    let began = performance.now()
    const request = { method: 'POST', url: `${origin}/api/v1/auth/refresh-token`, nonce: checker.nonce(nowMs), nowMs }
    const dpop = await makeProof(pair, request)
    signed.push(performance.now() - began)
    began = performance.now()
    await checker.check(new Request(request.url, { method: 'POST', headers: { dpop } }), nowMs)
    checked.push(performance.now() - began)
  }
  await db.close()
  return { signMs: figure(signed), checkMs: figure(checked) }
}

/** Passwords are slow on purpose; nobody else may wait for them. */
async function measureCrowd({ url }: ServerProcess) {
  const { bearer } = await verifiedAccount(url)
  const light = async () => {
    const began = performance.now()
    await (await fetch(`${url}/api/v1/account`, { headers: { authorization: bearer } })).text()
    return performance.now() - began
  }
  const idle: number[] = []
  const busy: number[] = []
  let signIns = 0
  for (let crowd = 0; crowd < crowds; crowd += 1) {
    for (let each = 0; each < 100; each += 1) idle.push(await light())
    let under = signInsAtOnce
    const crowdIn = Array.from({ length: signInsAtOnce }, async () => {
      // Somebody else from elsewhere each time: the limits are not what is measured.
      const from = `10.0.${crowd}.${signIns++ % 250}`
      const body = JSON.stringify({ email: `${uuidv7()}@example.com`, password })
      const answer = await fetch(`${url}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        body,
      })
      await answer.text()
      // Anything but "wrong" was not the work that is measured.
      if (answer.status !== 401) throw new Error(`The bench got ${answer.status}`)
      under -= 1
    })
    while (under > 0) busy.push(await light())
    await Promise.all(crowdIn)
  }
  return {
    idle: { ...figure(idle), p95: percentile(idle, 0.95) },
    duringFiftySignIns: { ...figure(busy), p95: percentile(busy, 0.95) },
    p95Ratio: Number((percentile(busy, 0.95) / percentile(idle, 0.95)).toFixed(2)),
  }
}
