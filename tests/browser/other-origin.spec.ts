// The API on another origin than the page: VITE_API_BASE_URL at build time, CORS_ORIGINS at run time.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { run } from '#tools/commands.ts'
import { expect, makeOrganization, registerAndVerify, test } from '#tests/support/browser.ts'
import { freePort, startServer } from '#tests/support/server-process.ts'

test('the API on another origin works like its own', async ({ browser }) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-other-origin-'))
  const [pagePort, apiPort] = [await freePort(), await freePort()]
  const pageUrl = `http://localhost:${pagePort}`
  const apiUrl = `http://localhost:${apiPort}`
  const app = path.join(folder, 'dist/app')
  const built = await run('vite', ['build', '--outDir', app, '--logLevel', 'error'], { VITE_API_BASE_URL: apiUrl })
  expect(built).toMatchObject({ ok: true })
  const shared = { PUBLIC_URL: pageUrl, API_PUBLIC_URL: apiUrl }
  const api = await startServer({
    ...shared,
    PORT: String(apiPort),
    DATA_DIR: path.join(folder, 'api'),
    CORS_ORIGINS: pageUrl,
  })
  const page = await startServer(
    { ...shared, PORT: String(pagePort), DATA_DIR: path.join(folder, 'page') },
    { cwd: folder },
  )
  const context = await browser.newContext({ baseURL: pageUrl })
  const tab = await context.newPage()
  const violations: string[] = []
  tab.on('console', (message) => {
    if (/CORS|Content Security Policy/i.test(message.text())) violations.push(message.text())
  })
  try {
    await registerAndVerify(tab, { server: api })
    await makeOrganization(tab)
    await tab.reload()
    await expect(tab.getByRole('heading', { name: 'Ann Works' })).toBeVisible()
    expect(violations).toEqual([])
  } finally {
    await context.close()
    await api.end('SIGTERM')
    await page.end('SIGTERM')
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
