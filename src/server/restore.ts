// `npm run restore -- FILE`: fills an empty database of either engine, which is also the way from the embedded one to PostgreSQL.
import { withMaintenanceClient } from './db/database.ts'
import { readBackup } from './db/dump.ts'
import { runTool } from './tool.ts'

await runTool('restore', async (settings, file) => {
  const rows = await withMaintenanceClient(settings, 'stopped', (client) => readBackup(client, file))
  return `${rows} rows are restored from ${file}`
})
