// The yardstick: the same fifty rows of the same table as JSON, with nothing around the query.
import http from 'node:http'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const query =
  'select * from invoices where organization_id = $1 and deleted_at is null order by issue_key desc, id desc limit 51'

http
  .createServer((_, response) => {
    void pool.query(query, [process.env['ORGANIZATION_ID']]).then(({ rows }) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: rows.slice(0, 50) }))
    })
  })
  .listen(Number(process.env['PORT']), 'localhost', () => process.stdout.write('ready\n'))
