import type { Route } from '#server/http/endpoint.ts'
import { accountRoutes } from './account.ts'
import { deviceRoutes } from './devices.ts'
import { emailRoutes } from './email.ts'
import type { AuthParts } from './parts.ts'
import { passkeyRoutes } from './passkeys.ts'
import { passwordRoutes } from './password.ts'
import { signInRoutes } from './sign-in.ts'

/** Everything that opens, keeps and closes accounts and sessions. */
export function authRoutes(parts: AuthParts): Route[] {
  return [signInRoutes, emailRoutes, passwordRoutes, passkeyRoutes, deviceRoutes, accountRoutes].flatMap((routes) =>
    routes(parts),
  )
}
