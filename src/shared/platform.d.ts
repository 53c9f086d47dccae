// The few globals that page, worker and server all have. Nothing else of a platform compiles in shared/.
declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array }
declare function atob(base64: string): string
declare class TextDecoder {
  constructor(label: string, options: { fatal: boolean })
  decode(bytes: Uint8Array): string
}
declare class URL {
  constructor(url: string)
  readonly hostname: string
}
