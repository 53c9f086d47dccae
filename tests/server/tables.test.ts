import fs from 'node:fs'
import { expect, test } from 'vitest'
import { generateTables } from '#tools/generate-tables.ts'

test('tables.ts says what the migrations make: `npm run tables` when this fails', async () => {
  const file = new URL('../../src/server/db/tables.ts', import.meta.url)
  const committed = fs.readFileSync(file, 'utf8')
  expect(await generateTables()).toBe(committed)
})
