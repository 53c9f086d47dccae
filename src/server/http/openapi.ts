// The OpenAPI 3.1 document, made from the same table and schemas that the server runs by.
import type { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { apiPath } from '#shared/endpoint.ts'
import { problemMediaType } from '#shared/problem-form.ts'
import { problemCodes } from '#shared/problem.ts'
import type { Route } from './endpoint.ts'
import type { AppEnv } from './request.ts'

const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(problemCodes),
    detail: z.string().optional(),
    instance: z.string().optional(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
    sid: z.string().optional(),
  })
  .meta({ id: 'Problem' })

export function describeApi(app: OpenAPIHono<AppEnv>, routes: readonly Route[], apiPublicUrl: string): object {
  const registry = app.openAPIRegistry
  const bearer = registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
  })
  for (const { name, endpoint, schemas } of routes) {
    const params = Object.fromEntries([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, key]) => [key!, z.uuid()]))
    const headers = {
      ...(endpoint.ifMatch && { 'If-Match': z.string().meta({ description: 'The version being changed' }) }),
      ...(endpoint.method !== 'GET' &&
        endpoint.path.startsWith('/organizations') && {
          'Idempotency-Key': z.string().optional().meta({ description: 'A repeat answers as the first did' }),
        }),
      ...(endpoint.proof && {
        DPoP: z.string().optional().meta({ description: 'Proof of the device key (RFC 9449)' }),
      }),
    }
    const query = schemas.query as z.ZodObject | undefined
    registry.registerPath({
      operationId: name,
      method: endpoint.method.toLowerCase() as 'get',
      path: apiPath + endpoint.path,
      summary: schemas.summary,
      tags: [endpoint.path.split('/')[endpoint.path.startsWith('/organizations/{organizationId}/') ? 3 : 1]!],
      security:
        endpoint.auth === 'public' ? [] : [...(endpoint.auth === 'optional' ? [{}] : []), { [bearer.name]: [] }],
      ...(endpoint.permission && { 'x-permission': endpoint.permission }),
      request: {
        params: z.object(params),
        headers: z.object(headers),
        ...(query && { query }),
        ...(schemas.body && { body: { content: { 'application/json': { schema: schemas.body } }, required: true } }),
      },
      responses: {
        ...Object.fromEntries(
          Object.entries(schemas.answers).map(([status, schema]) => [
            status,
            schema
              ? { description: 'Done', content: { 'application/json': { schema } } }
              : { description: 'Done, nothing to say' },
          ]),
        ),
        ...(schemas.file && {
          200: {
            description: 'The file',
            content: { [schemas.file]: { schema: z.string().meta({ format: 'binary' }) } },
          },
        }),
        default: { description: 'A problem', content: { [problemMediaType]: { schema: problem } } },
      },
    })
  }
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Docket', version: '1', description: 'Invoices that keep working when the network does not.' },
    servers: [{ url: apiPublicUrl }],
  })
}
