import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadStaticFiles } from '#server/http/static.ts'
import { publish } from '#tools/publish.ts'

let folder: string
const place = (...names: string[]) => path.join(folder, ...names)

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-publish-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

/** Publishes a build of these hashed files, as a tool does that knows nothing but the folders. */
function deploy(...assets: string[]): void {
  fs.mkdirSync(place('fresh/assets'), { recursive: true })
  fs.writeFileSync(place('fresh/index.html'), assets.join())
  for (const name of assets) fs.writeFileSync(place('fresh/assets', name), name)
  publish(place('fresh'), place('dist/app'), place('dist/builds.json'))
}

/** Status and text of each, from a server that starts now. */
async function served(...names: string[]) {
  const files = loadStaticFiles(place('dist/app'))
  return Promise.all(
    names.map(
      async (name) => (await files.answer(new Request(`http://docket.example/assets/${name}`))?.text()) ?? null,
    ),
  )
}

test('the files of the build before stay for one more build; what is older is gone, and never a page', async () => {
  deploy('a1.js', 'same.js')
  deploy('a2.js', 'same.js')
  expect(await served('a1.js', 'a2.js', 'same.js')).toEqual(['a1.js', 'a2.js', 'same.js'])
  deploy('a3.js')
  expect(await served('a1.js', 'a2.js', 'same.js', 'a3.js')).toEqual([null, 'a2.js', 'same.js', 'a3.js'])
  deploy('a4.js')
  expect(await served('a2.js', 'same.js', 'a3.js', 'a4.js')).toEqual([null, null, 'a3.js', 'a4.js'])
  const page = loadStaticFiles(place('dist/app')).answer(new Request('http://docket.example/activity'))
  expect(await page?.text()).toBe('a4.js')
})

test('the same page built once more keeps what was there before it', async () => {
  deploy('a1.js')
  deploy('a2.js')
  deploy('a2.js')
  expect(await served('a1.js', 'a2.js')).toEqual(['a1.js', 'a2.js'])
  deploy('a3.js')
  expect(await served('a1.js', 'a2.js', 'a3.js')).toEqual([null, 'a2.js', 'a3.js'])
})
