// The settings, read from the environment and checked at start: a bad one is one clear line (the only reader of process.env).
import path from 'node:path'
import * as z from 'zod'
import { isLoopback } from '#server/http/proof.ts'

export interface Settings {
  host: string
  port: number
  dataDir: string
  publicUrl: string
  apiPublicUrl: string
  corsOrigins: string[]
  /** How many proxies in front are trusted to say who the client is. */
  trustProxy: number
  databaseUrl: string | undefined
  databaseMigrationUrl: string | undefined
  /** Undefined: the development mailbox. */
  smtpUrl: string | undefined
  mailFrom: string
}

const origin = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http(s) address')
  .transform((text) => new URL(text))
  .refine(
    (url) => url.pathname === '/' && !url.search && !url.hash && !url.username,
    'must be an origin, without a path',
  )
  .transform((url) => url.origin)

const addressOf = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (text) =>
        URL.canParse(text) &&
        protocols.includes(new URL(text).protocol) &&
        text.length > new URL(text).protocol.length + 2,
      `must begin with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    )
    .optional()

const variables = z.object({
  HOST: z
    .string()
    .refine((host) => URL.canParse(`http://${hostInUrl(host)}`), 'must be the name or address of an interface')
    .optional(),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port')
    .transform(Number)
    .refine((port) => port >= 1 && port <= 65535, 'must be a port')
    .default(8080),
  DATA_DIR: z.string().default('data'),
  PUBLIC_URL: origin.optional(),
  API_PUBLIC_URL: origin.optional(),
  CORS_ORIGINS: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean),
    )
    .pipe(z.array(origin))
    .default([]),
  TRUST_PROXY: z.string().regex(/^\d$/, 'must be a number of proxies').transform(Number).default(0),
  DATABASE_URL: addressOf('postgres:', 'postgresql:'),
  DATABASE_MIGRATION_URL: addressOf('postgres:', 'postgresql:'),
  SMTP_URL: addressOf('smtp:', 'smtps:'),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@]+@[^\s@]+[^\r\n]*$/, 'must hold an email')
    .optional(),
})

/** The settings of an environment; `problem` is one line that says which variable to change and how. */
export function readSettings(environment: NodeJS.ProcessEnv): { settings: Settings } | { problem: string } {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = variables.safeParse(given)
  if (!parsed.success) {
    const { path: where, message } = parsed.error.issues[0]!
    return { problem: `${String(where[0])} ${message}` }
  }
  const values = parsed.data
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`
  const isPrivate = isLoopback(new URL(publicUrl))
  if (!isPrivate && !publicUrl.startsWith('https:'))
    return { problem: 'PUBLIC_URL must be https, except on this machine (localhost)' }
  if (!isPrivate && !values.SMTP_URL)
    return { problem: 'SMTP_URL is needed once PUBLIC_URL is not on this machine: mails must reach people' }
  if (values.DATABASE_MIGRATION_URL && !values.DATABASE_URL)
    return { problem: 'DATABASE_MIGRATION_URL needs DATABASE_URL as well' }
  const apiPublicUrl = values.API_PUBLIC_URL ?? publicUrl
  if (!isLoopback(new URL(apiPublicUrl)) && !apiPublicUrl.startsWith('https:'))
    return { problem: 'API_PUBLIC_URL must be https, except on this machine (localhost)' }
  const developmentMailbox = values.SMTP_URL === undefined
  if (developmentMailbox && values.HOST && !isLoopback(new URL(`http://${hostInUrl(values.HOST)}`))) {
    return {
      problem: 'HOST must stay on this machine while SMTP_URL is unset: the development mailbox shows every mail',
    }
  }
  return {
    settings: {
      host: values.HOST ?? (developmentMailbox ? 'localhost' : '0.0.0.0'),
      port: values.PORT,
      dataDir: path.resolve(values.DATA_DIR),
      publicUrl,
      apiPublicUrl,
      corsOrigins: values.CORS_ORIGINS,
      trustProxy: values.TRUST_PROXY,
      databaseUrl: values.DATABASE_URL,
      databaseMigrationUrl: values.DATABASE_MIGRATION_URL,
      smtpUrl: values.SMTP_URL,
      mailFrom: values.MAIL_FROM ?? `Docket <no-reply@${new URL(publicUrl).hostname}>`,
    },
  }
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

export function processSettings(): ReturnType<typeof readSettings> {
  return readSettings(process.env)
}
