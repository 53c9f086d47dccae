// The walls between the rooms stand: a planted breach of each is found by the linter or the compiler (HOUSE.md "Walls").
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const planted: string[] = []
afterEach(() => {
  for (const file of planted.splice(0)) fs.rmSync(file)
})

function plant(room: string, line: string, name = 'planted-breach'): string {
  const file = path.join(root, 'src', room, `${name}.ts`)
  fs.writeFileSync(file, `${line}\n`)
  planted.push(file)
  return file
}

const breaches: readonly [room: string, line: string][] = [
  ['shared', `import 'hono'`],
  ['shared', `import '#page/api.ts'`],
  ['documents', `import '#server/env.ts'`],
  ['documents', `import '#page/api.ts'`],
  ['documents', `import 'node:fs'`],
  ['documents', `import 'zod'`],
  ['worker', `import '#documents/ubl/ubl.ts'`],
  ['page', `import '#worker/gateway.ts'`],
  ['page', `import '#server/env.ts'`],
  ['page', `import 'node:fs'`],
  ['page', `import '../shared/ids.ts'`],
  ['page/features/shell', `import { lazy } from 'react'`],
  ['page/ui', `import '#page/api.ts'`],
  ['page/ui', `import '@tanstack/react-query'`],
  ['page/features/invoices', `import '#page/features/customers/queries.ts'`],
  ['page/features/invoices', `import '#page/router.tsx'`],
  ['worker', `import 'react'`],
  ['worker', `import '#page/api.ts'`],
  ['worker', `import 'zod'`],
  ['server', `import '#worker/gateway.ts'`],
  ['server/invoices', `import '#server/customers/store.ts'`],
  ['server/invoices', `import '#server/app.ts'`],
  ['server/db', `import '#server/invoices/store.ts'`],
  ['server/http', `import '#server/invoices/store.ts'`],
  ['server/rows', `import '#server/outgoing/paper.ts'`],
  ['server/outgoing', `import '#server/invoices/store.ts'`],
  ['server/mail', `import '#server/rows/invoice-row.ts'`],
  ['server/jobs', `import '#server/reminders/remind.ts'`],
  ['server', `import '#tests/support/app.ts'`],
]

test('the linter refuses every import across a wall', () => {
  // All at once: a start of the linter for each took a minute.
  const files = breaches.map(([room, line], index) => plant(room, line, `planted-breach-${index}`))
  const { status, stdout } = spawnSync(
    path.join(root, 'node_modules/.bin/oxlint'),
    ['-A', 'all', '-D', 'no-restricted-imports', '--format', 'unix', ...files],
    { cwd: root, encoding: 'utf8' },
  )
  expect(status).toBe(1)
  const found = stdout.split('\n').filter((line) => line.includes('no-restricted-imports'))
  const refused = files.map((file) => found.some((line) => line.startsWith(`${path.relative(root, file)}:`)))
  expect(breaches.filter((_, index) => !refused[index])).toEqual([])
})

test.each([
  ['shared', 'export const title = document.title', "Cannot find name 'document'"],
  ['documents', 'export const title = document.title', "Cannot find name 'document'"],
  ['documents', 'export const folder = process.cwd()', "Cannot find name 'process'"],
  ['server', 'export const title = document.title', "Cannot find name 'document'"],
  ['worker', 'export const title = document.title', "Cannot find name 'document'"],
  ['page', 'export const folder = process.cwd()', "Cannot find name 'process'"],
])(
  'the compiler refuses in %s: %s',
  (room, line, complaint) => {
    plant(room, line)
    const compile = () =>
      execFileSync(
        path.join(root, 'node_modules/.bin/tsc'),
        [
          '-p',
          `src/${room}`,
          '--noEmit',
          '--composite',
          'false',
          '--incremental',
          'false',
          '--emitDeclarationOnly',
          'false',
        ],
        {
          cwd: root,
          encoding: 'utf8',
          stdio: 'pipe',
        },
      )
    let output = ''
    try {
      compile()
    } catch (error) {
      output = String((error as { stdout: string }).stdout)
    }
    expect(output).toContain(complaint)
  },
  60_000,
)
