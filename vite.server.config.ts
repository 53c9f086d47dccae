// Builds the server and its tools for plain node: the app's own code and pure libraries in a few files, native parts left outside.
import { defineConfig } from 'vite'

export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node22',
    rolldownOptions: {
      input: {
        server: 'src/server.ts',
        backup: 'src/server/backup.ts',
        restore: 'src/server/restore.ts',
        'embedded-worker': 'src/server/db/embedded-worker.ts',
        'pdf-thread': 'src/server/outgoing/pdf-thread.ts',
      },
      // One flat folder, because a file finds the threads and the migrations beside itself.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  ssr: {
    noExternal: true,
    // The PDF library reads files of its own beside itself.
    external: [
      '@electric-sql/pglite',
      '@electric-sql/pglite-socket',
      '@node-rs/argon2',
      'pg',
      'pg-boss',
      'pino',
      'nodemailer',
    ],
  },
})
