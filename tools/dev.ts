// `npm run dev`: the page from Vite with live reload at http://localhost:8080, the API from a server beside it that starts anew on change.
import { spawn } from 'node:child_process'
import { createServer } from 'vite'
import { root } from './sources.ts'

const port = 8080
const apiPort = 8081

const api = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/server.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PORT: String(apiPort), PUBLIC_URL: `http://localhost:${port}` },
})
const toApi = { target: `http://localhost:${apiPort}` }
const page = await createServer({
  root,
  server: {
    port,
    strictPort: true,
    host: 'localhost',
    proxy: { '/api': toApi, '/dev/mailbox': toApi, '/healthz': toApi },
  },
})
await page.listen()
console.log(`The page is at http://localhost:${port}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    api.kill(signal)
    void page.close().then(() => process.exit(0))
  })
}
api.on('exit', (code) => {
  console.error(`The server ended with ${code}`)
  void page.close().then(() => process.exit(1))
})
