// A refused save lies in one place at least at any moment: the form keeps it again before the outbox lets go of it (stored.ts).
import { beforeEach, expect, test, vi } from 'vitest'
import type { ProblemCode } from '#shared/problem.ts'
import { problem } from '#shared/problem.ts'

const log: string[] = []
let letGo: () => Promise<Response>
vi.mock('#page/start/install.ts', () => ({ noteOfflineSave() {} }))
vi.mock('#page/device/broadcasts.ts', () => ({ hearBroadcasts() {} }))
vi.mock('#page/start/boot.ts', () => ({
  sync() {},
  tryNow() {},
  send: async (request: Request) => {
    if (request.method !== 'DELETE') return refusal('validation_failed', { 'x-docket-unsent': 'key-1' })
    log.push('the outbox is asked to let go of it')
    return letGo()
  },
}))

function refusal(code: ProblemCode, more: Record<string, string> = {}): Response {
  const said = problem(code)
  return Response.json(said, {
    status: said.status,
    headers: { 'content-type': 'application/problem+json', 'x-docket': '1', ...more },
  })
}

beforeEach(() => {
  log.length = 0
  vi.stubGlobal('location', new URL('https://docket.example/'))
  vi.stubGlobal('window', { addEventListener() {}, location })
  vi.stubGlobal('document', { addEventListener() {}, visibilityState: 'visible', documentElement: { lang: 'en' } })
  const storage = { getItem: () => null, setItem() {}, removeItem() {} }
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, storage)
})

async function save(): Promise<void> {
  const { call } = await import('#page/api.ts')
  const writer = {
    stored: () => void log.push('the outbox has it'),
    returned: () => void log.push('the form keeps it'),
  }
  await call('createCustomer', { params: { organizationId: 'o' }, body: { name: 'x' } as never, writer }).catch(
    () => {},
  )
}

test('the tab is closed before the outbox has said that it let go', async () => {
  letGo = () => new Promise(() => {})
  void save()
  await vi.waitUntil(() => log.length >= 2)
  expect(log).toEqual(['the form keeps it', 'the outbox is asked to let go of it'])
})

test.each<[ProblemCode, string, string[]]>([
  ['not_found', 'gone already, a killed worker had taken it out', []],
  ['invalid_transition', 'it stays there with what builds on it', ['the outbox has it']],
])('answered %s: %s', async (code, _, more) => {
  letGo = async () => refusal(code)
  await save()
  expect(log).toEqual(['the form keeps it', 'the outbox is asked to let go of it', ...more])
})
