// Proofs that a request comes from this device (DPoP, RFC 9449 section 4.2), made with the browser's own cryptography.

export interface ProofFor {
  method: string
  /** Address without query and fragment. */
  url: string
  nonce: string | null
  nowMs: number
}

/** The value of the `DPoP` header; every call makes a new one. */
export async function makeProof({ privateKey, publicKey }: CryptoKeyPair, request: ProofFor): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } }
  const payload = {
    jti: crypto.randomUUID(),
    htm: request.method,
    htu: request.url,
    iat: Math.floor(request.nowMs / 1000),
    ...(request.nonce !== null && { nonce: request.nonce }),
  }
  const signed = `${base64url(utf8(JSON.stringify(header)))}.${base64url(utf8(JSON.stringify(payload)))}`
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, utf8(signed))
  return `${signed}.${base64url(new Uint8Array(signature))}`
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
