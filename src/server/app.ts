// The whole server on one screen: middleware in order, then every resource.
import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { apiPath } from '#shared/endpoint.ts'
import { ProblemError } from '#shared/problem.ts'
import { activityRoutes } from './activity/routes.ts'
import { authRoutes } from './auth/routes.ts'
import { createCallerCache } from './auth/callers.ts'
import type { Answer, Services } from './context.ts'
import { changeRoutes } from './changes/routes.ts'
import { customerRoutes } from './customers/routes.ts'
import { exportRoutes } from './exports/routes.ts'
import { itemRoutes } from './items/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { failureRoutes } from './failures/routes.ts'
import { seriesRoutes } from './series/routes.ts'
import type { Route } from '#server/http/endpoint.ts'
import type { Settings } from './env.ts'
import { refuseOtherWorkers, securityHeaders } from '#server/http/headers.ts'
import { recurringRoutes } from './invoices/recurring.ts'
import { quoteRoutes } from './invoices/quotes.ts'
import { invoiceRoutes } from './invoices/routes.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { mailboxPage, mailboxPath } from './mail/mailbox.ts'
import { memberRoutes } from './members/routes.ts'
import { describeApi } from '#server/http/openapi.ts'
import { organizationRoutes } from './organizations/routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { publicQuoteRoutes } from './public/quotes.ts'
import { publicRoutes } from './public/routes.ts'
import { reminderRoutes } from './reminders/routes.ts'
import { problemResponse } from '#server/http/problems.ts'
import { createProofs } from '#server/http/proof.ts'
import { answerApi, corsHeaders, requestFacts, type AppEnv } from '#server/http/request.ts'
import type { StaticFiles } from '#server/http/static.ts'
import { loadTokens, sharedSecret } from '#server/http/tokens.ts'

export interface AppParts {
  services: Services
  settings: Pick<Settings, 'publicUrl' | 'apiPublicUrl' | 'corsOrigins' | 'trustProxy'>
  files: StaticFiles
  /** Folder of the development mailbox; null when mails really go out. */
  mailbox: string | null
}

export async function createApp({ services, settings, files, mailbox }: AppParts) {
  const tokens = await loadTokens(services.db)
  const proofs = createProofs(services.db, await sharedSecret(services.db, 'dpop-nonce'), settings.apiPublicUrl)
  const callers = createCallerCache(services.db, tokens)
  const routes: Route[] = [
    ...authRoutes({ tokens, proofs, callers }),
    ...organizationRoutes,
    ...memberRoutes,
    ...invitationRoutes,
    ...activityRoutes,
    ...changeRoutes,
    ...customerRoutes,
    ...itemRoutes,
    ...invoiceRoutes,
    ...paymentRoutes,
    ...recurringRoutes,
    ...reminderRoutes,
    ...failureRoutes,
    ...quoteRoutes,
    ...exportRoutes,
    ...dashboardRoutes,
    ...publicRoutes,
    ...publicQuoteRoutes,
    ...seriesRoutes,
  ]

  const app = new OpenAPIHono<AppEnv>()
  app.use(requestFacts(services, settings.trustProxy))
  app.use(securityHeaders(settings))
  app.use(`${apiPath}/*`, corsHeaders(settings.corsOrigins))
  app.use(`${apiPath}/*`, answerApi(services, proofs))
  app.use(refuseOtherWorkers)

  for (const route of routes) {
    const path = apiPath + route.endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.on(route.endpoint.method, path, async (context) => {
      const authorization = context.req.header('authorization')
      const { auth } = route.endpoint
      const now = context.get('now')
      const wanted = auth === 'session' || auth === 'verified' || (auth === 'optional' && authorization !== undefined)
      const caller = wanted ? await callers.identify(authorization ?? '', now).catch(forgive(route)) : null
      if (auth === 'verified' && caller?.status !== 'ACTIVE') throw new ProblemError('email_not_verified')
      const arrival = {
        services,
        request: context.req.raw,
        params: context.req.param(),
        caller,
        confirmCaller: async () =>
          void (
            wanted &&
            (await callers
              .identify(authorization ?? '', new Date(services.clock()).toISOString())
              .catch(forgive(route)))
          ),
        address: context.get('address'),
        now,
      }
      return encode(await route.run(arrival))
    })
  }
  const document = JSON.stringify(describeApi(app, routes, settings.apiPublicUrl))
  app.get(`${apiPath}/openapi.json`, () => new Response(document, { headers: { 'content-type': 'application/json' } }))

  app.get('/healthz', (context) => context.text('ok'))
  app.get('/readyz', async (context) => {
    await services.db.ready().catch(() => {
      throw new ProblemError('unavailable')
    })
    return context.text('ok')
  })
  if (mailbox !== null) app.get(mailboxPath, (context) => mailboxPage(context.req.raw, mailbox))
  app.all('/api/*', (context) => {
    const methods = routes.filter((route) => matches(route, context.req.path)).map(({ endpoint }) => endpoint.method)
    if (methods.length === 0) throw new ProblemError('not_found')
    throw new ProblemError('method_not_allowed', {}, { allow: methods.join(', ') })
  })
  app.on(['GET', 'HEAD'], '/*', (context) => files.answer(context.req.raw) ?? missing(context))
  app.onError((error, context) => problemResponse(error, context.get('requestId'), services.log))
  app.notFound((context) => problemResponse(new ProblemError('not_found'), context.get('requestId'), services.log))
  return app
}

/** Signing out works whatever has become of the session. */
function forgive(route: Route) {
  return (error: unknown): null => {
    if (route.name === 'logout') return null
    throw error
  }
}

async function encode({ status, body, etag, file }: Answer): Promise<Response> {
  const headers = new Headers()
  if (etag !== undefined) headers.set('etag', `"${etag}"`)
  if (file) {
    const content = typeof file.content === 'function' ? await file.content() : file.content
    headers.set('content-type', file.type)
    for (const [name, value] of Object.entries(file.inline ?? {})) headers.set(name, value)
    if (!file.inline)
      headers.set('content-disposition', `attachment; filename="${file.name.replaceAll(/[^\w.-]/g, '-')}"`)
    return new Response(content, { status, headers })
  }
  if (body === undefined) return new Response(null, { status, headers })
  headers.set('content-type', 'application/json')
  return new Response(JSON.stringify(body), { status, headers })
}

function matches(route: Route, path: string): boolean {
  const pattern = (apiPath + route.endpoint.path).replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(path)
}

function missing(context: Context<AppEnv>): Response {
  return context.text('Not Found', 404)
}
