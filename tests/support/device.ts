// A device of a test: a key pair of its own and the proofs it makes, with a second implementation than the one that is shipped.
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'
import { origin, type Answered, type TestApp } from './app.ts'

export interface Device {
  privateKey: CryptoKey
  jwk: JWK
}

export async function makeDevice(): Promise<Device> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  return { privateKey, jwk: await exportJWK(publicKey) }
}

/** A DPoP proof; `claimed` and `header` change what it says. */
export function prove(
  device: Device,
  path: string,
  nonce: string | null,
  claimed: Record<string, unknown> = {},
  header: object = {},
): Promise<string> {
  return new SignJWT({
    jti: crypto.randomUUID(),
    htm: 'POST',
    htu: origin + path,
    iat: Math.floor(Date.now() / 1000),
    ...(nonce !== null && { nonce }),
    ...claimed,
  })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: device.jwk, ...header })
    .sign(device.privateKey)
}

/** A call with a good proof of this device. */
export async function sendFrom(device: Device, app: TestApp, path: string, body: unknown): Promise<Answered> {
  const nonce = (await app.send('GET', '/api/v1/openapi.json')).headers.get('dpop-nonce')
  return app.send('POST', path, { body, headers: { dpop: await prove(device, path, nonce) } })
}
