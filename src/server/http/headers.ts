// Headers of every answer (SESSION.md "What it stops"): built once per process, zero exceptions for inline code.
import type { MiddlewareHandler } from 'hono'
import { ProblemError } from '#shared/problem.ts'
import type { Settings } from '#server/env.ts'

export const workerPath = '/sw.js'

function contentSecurityPolicy(apiPublicUrl: string): string {
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "script-src 'self'",
    "script-src-attr 'none'",
    "style-src 'self'",
    "style-src-attr 'none'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${apiPublicUrl}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types sw-url',
  ].join('; ')
}

export function securityHeaders(settings: Pick<Settings, 'publicUrl' | 'apiPublicUrl'>): MiddlewareHandler {
  const fixed: Record<string, string> = {
    'content-security-policy': contentSecurityPolicy(settings.apiPublicUrl),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    ...(settings.publicUrl.startsWith('https:') && {
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
    }),
  }
  const entries = Object.entries(fixed)
  return async (context, next) => {
    await next()
    // What an inner part has set on purpose stays, such as the resource policy of an allowed origin.
    for (const [name, value] of entries) if (!context.res.headers.has(name)) context.res.headers.set(name, value)
  }
}

/** Nothing but the worker's own file may become a worker: an uploaded or echoed script could else take over the origin. */
export const refuseOtherWorkers: MiddlewareHandler = async (context, next) => {
  if (context.req.header('service-worker') === 'script' && context.req.path !== workerPath)
    throw new ProblemError('forbidden')
  await next()
}
