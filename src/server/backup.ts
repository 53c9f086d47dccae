// `npm run backup -- FILE`: the whole database of either engine, also while the server runs.
import { withMaintenanceClient } from './db/database.ts'
import { writeBackup } from './db/dump.ts'
import { runTool } from './tool.ts'

await runTool('backup', async (settings, file) => {
  const rows = await withMaintenanceClient(settings, 'running', (client) => writeBackup(client, file))
  return `${rows} rows are in ${file}`
})
