// A passkey authenticator in software (WebAuthn Level 3): makes one ES256 credential and signs with it, as a phone does after a fingerprint.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

const flags = { userPresent: 1, userVerified: 4, attested: 64 }

export interface Authenticator {
  credentialId: string
  /** Answers `navigator.credentials.create`. */
  create(options: { challenge: string }): Record<string, unknown>
  /** Answers `navigator.credentials.get`. */
  get(options: { challenge: string }, userId?: string): Record<string, unknown>
}

export interface AuthenticatorOptions {
  origin: string
  rpId?: string
  /** False: a device that did not ask who is there. */
  verifiesUser?: boolean
  /** Counts up with every use; a copy that lags behind betrays itself. */
  counter?: number
}

export function makeAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const credentialId = id.toString('base64url')
  let counter = options.counter ?? 0
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: options.origin, crossOrigin: false }))
  const authData = (attested: Buffer | null) => {
    const verified = (options.verifiesUser ?? true) ? flags.userVerified : 0
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter)
    return Buffer.concat([
      createHash('sha256')
        .update(options.rpId ?? new URL(options.origin).hostname)
        .digest(),
      Buffer.from([flags.userPresent | verified | (attested ? flags.attested : 0)]),
      counted,
      attested ?? Buffer.alloc(0),
    ])
  }
  const credential = (response: Record<string, string>) => ({
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
  return {
    credentialId,
    create({ challenge }) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      return credential({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestationObject(authData(attested)).toString('base64url'),
      })
    },
    get({ challenge }, userId) {
      counter += 1
      const data = authData(null)
      const client = clientData('webauthn.get', challenge)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        ...(userId !== undefined && { userHandle: Buffer.from(userId).toString('base64url') }),
      })
    },
  }
}

/** COSE (RFC 9053) in CBOR: {1: EC2, 3: ES256, -1: P-256, -2: x, -3: y}. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x, y } = publicKey.export({ format: 'jwk' })
  const bytes = (text: string) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')])
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(x!),
    Buffer.from([0x22]),
    bytes(y!),
  ])
}

/** {"fmt": "none", "attStmt": {}, "authData": bytes} in CBOR (RFC 8949). */
function attestationObject(authData: Buffer): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(authData.length)
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x59]),
    length,
    authData,
  ])
}
