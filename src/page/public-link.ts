import { apiOriginOf } from '#shared/endpoint.ts'
import { endpointPath, type EndpointName } from '#shared/endpoints.ts'

/** A link that only this device knows: the server is told its token's hash alone, and cannot show it again. */
export async function newLink(prefix: string, page: EndpointName): Promise<{ address: string; tokenHash: string }> {
  const token = `${prefix}_${base64url(crypto.getRandomValues(new Uint8Array(32)))}`
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  const origin = apiOriginOf(import.meta.env.VITE_API_BASE_URL, location.origin)
  return { address: origin + endpointPath(page, { token }), tokenHash: base64url(new Uint8Array(hash)) }
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
