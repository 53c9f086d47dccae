import { decodeJwt } from '#shared/jwt.ts'

/** The gateway corrects its clock by our answers, so an hour is well past. */
const longAgoSeconds = 3600

/** The same access token, expired: its signature no longer fits, but who decodes it sees a token that is over. */
export function expired(authToken: string): string {
  const [head, , signature] = authToken.split('.')
  const decoded = decodeJwt(authToken)
  if (!decoded.ok) throw new TypeError('Not a token')
  const payload = { ...decoded.value, exp: Math.floor(Date.now() / 1000) - longAgoSeconds }
  return `${head}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${signature}`
}
