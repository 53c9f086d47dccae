// Passkeys in the browser: the library is loaded when one is asked for, and what goes wrong comes back in words.
import type * as Library from '@simplewebauthn/browser'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { text } from '#page/words/text.ts'

/** `refusal` is what to say; null when the person changed their mind, which needs no words. */
type Asked = Promise<{ ok: true; response: unknown } | { ok: false; refusal: string | null }>

export function knowsPasskeys(): boolean {
  return typeof window === 'undefined' || typeof window.PublicKeyCredential === 'function'
}

/** Asks the device for one of its passkeys, whichever the person chooses. */
export function askForPasskey(options: unknown): Asked {
  return settle(({ startAuthentication }) =>
    startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }),
  )
}

/** Has the device make a passkey. */
export function makePasskey(options: unknown): Asked {
  return settle(({ startRegistration }) =>
    startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
  )
}

async function settle(work: (library: typeof Library) => Promise<unknown>): Asked {
  try {
    return { ok: true, response: await work(await import('@simplewebauthn/browser')) }
  } catch (error) {
    return { ok: false, refusal: refusalOf(error) }
  }
}

function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return text.passkeys.failed
  const { name } = error.cause instanceof Error ? error.cause : error
  // Also what a browser says when nobody answered in time.
  if (name === 'NotAllowedError' || name === 'AbortError') return null
  const isKnown = (error as WebAuthnError).code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
  return isKnown ? text.passkeys.known : text.passkeys.failed
}
