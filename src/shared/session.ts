import type { UserStatus } from './jwt.ts'

/** What the page may know of the session: never a token (SESSION.md "Words"). `expiresAt` is the access token's `exp`, in seconds. */
export type Session = { status: 'anonymous'; isLeft?: true } | SignedInSession

export interface SignedInSession {
  status: UserStatus
  userId: string
  expiresAt: number
}

export const anonymous: Session = { status: 'anonymous' }
/** The last one was ended by a press on this device: of its person nothing stays, not even what they typed. */
export const left: Session = { ...anonymous, isLeft: true }

export function isSignedIn(session: Session): session is SignedInSession {
  return session.status !== 'anonymous'
}
