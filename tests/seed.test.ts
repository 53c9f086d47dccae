import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const rows = fs
  .readFileSync(path.join(root, 'docs/seed.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d /.test(line))
  .map((line) => {
    const [, section = '', statement = '', code = '', proof = ''] = line.split('|').map((cell) => cell.trim())
    return {
      section,
      statement,
      code: /`(.+)`/.exec(code)?.[1] ?? '',
      file: /`(.+)`/.exec(proof)?.[1] ?? '',
      title: /"(.+)"/.exec(proof)?.[1] ?? '',
    }
  })

test('docs/seed.md names every section, and each statement’s code and test are there', () => {
  expect(new Set(rows.map(({ section }) => section))).toEqual(new Set(['1', '2', '3', '4', '5', '6', '7', '8', '9']))
  for (const { statement, code, file, title } of rows) {
    expect(fs.existsSync(path.join(root, code)), `${statement}: ${code}`).toBe(true)
    const isThere = fs.readFileSync(path.join(root, file), 'utf8').includes(title)
    expect(isThere, `${statement}: ${file} has no "${title}"`).toBe(true)
    expect(title.length).toBeGreaterThan(10)
  }
})
