// What every request gets before it is routed: an id, a time, the client's address; and what every API answer carries.
import { isIPv6 } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context, MiddlewareHandler } from 'hono'
import { uuidv7 } from '#shared/ids.ts'
import { acceptedLanguage, type Language } from '#shared/language.ts'
import type { Services } from '#server/context.ts'
import type { Proofs } from './proof.ts'

export interface AppEnv {
  Variables: { requestId: string; now: string; address: string }
}

export function requestFacts(services: Services, trustProxy: number): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const nowMs = services.clock()
    context.set('requestId', uuidv7())
    context.set('now', new Date(nowMs).toISOString())
    context.set('address', asPlace(clientAddress(context, trustProxy)))
    await next()
  }
}

/** The language of who calls, and so of the mails about their own account that the call causes. The page says which one was chosen (page/api.ts). */
export function readerOf({ request }: { request: Request }): Language {
  return acceptedLanguage(request.headers.get('accept-language'))
}

/** What limits count by: an IPv6 network of /64 is one household, however many addresses it uses. */
function asPlace(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = address.toLowerCase().split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const all = [...before, ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0'), ...after]
  return `${all.slice(0, 4).join(':')}::/64`
}

/** The address of the connection, or what the outermost trusted proxy says it was. */
function clientAddress(context: Context<AppEnv>, trustProxy: number): string {
  const forwarded =
    trustProxy === 0 ? [] : (context.req.header('x-forwarded-for') ?? '').split(',').map((each) => each.trim())
  const named = forwarded.filter(Boolean).at(-trustProxy)
  if (named) return named.slice(0, 100)
  try {
    return getConnInfo(context).remote.address ?? 'unknown'
  } catch {
    return 'unknown' // A request made in the process, without a connection.
  }
}

/** Whoever has it sees an invoice, or answers a quote: a log is read by more people than that. */
const linkToken = /(?<=\/public\/(?:invoices|quotes)\/)[^/]+/

/** Marks every answer as ours (SESSION.md "Only our calls"), fresh, and with the nonce for the next proof; logs it without its content. */
export function answerApi(services: Services, proofs: Proofs): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const started = performance.now()
    await next()
    // Hono has caught what was thrown; a 4xx and 5xx of ours is in context.res already.
    const { headers, status } = context.res
    const nowMs = Date.parse(context.get('now'))
    headers.set('x-docket', '1')
    headers.set('dpop-nonce', proofs.nonce(nowMs))
    headers.set('date', new Date(nowMs).toUTCString())
    headers.set('cache-control', 'no-store')
    services.log.info(
      {
        requestId: context.get('requestId'),
        method: context.req.method,
        path: context.req.path.replace(linkToken, '…'),
        status,
        ms: Math.round((performance.now() - started) * 10) / 10,
      },
      'request',
    )
  }
}

const exposed = 'Date, ETag, DPoP-Nonce, Retry-After, X-Docket, X-Docket-Source, X-Docket-As-Of, X-Docket-Complete'

/** Closed, but for the origins that the settings name. */
export function corsHeaders(origins: readonly string[]): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const origin = context.req.header('origin')
    const allowed = origin !== undefined && origins.includes(origin)
    if (context.req.method === 'OPTIONS' && context.req.header('access-control-request-method')) {
      return new Response(null, {
        status: 204,
        headers: {
          vary: 'origin',
          ...(allowed && {
            'access-control-allow-origin': origin,
            'access-control-allow-methods': 'GET, POST, PUT, DELETE',
            'access-control-allow-headers': 'Authorization, Content-Type, DPoP, Idempotency-Key, If-Match',
            'access-control-max-age': '7200',
          }),
        },
      })
    }
    await next()
    if (origins.length > 0) context.res.headers.append('vary', 'origin')
    if (!allowed) return
    context.res.headers.set('access-control-allow-origin', origin)
    context.res.headers.set('access-control-expose-headers', exposed)
    context.res.headers.set('cross-origin-resource-policy', 'cross-origin')
  }
}
