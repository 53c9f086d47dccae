// The rules, broken on purpose: a mutant is the shipped source with one text replaced as it is loaded. The model must catch each by name.
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '#tools/sources.ts'
import type { Rule } from './watch.ts'

export interface Mutant<Name extends string = Rule> {
  /** What is broken, in words. */
  does: string
  file: string
  from: string
  to: string
  /** The rule by which it is caught. */
  caughtBy: readonly Name[]
}

const keeper = 'src/worker/session/keeper.ts'
const vault = 'src/worker/session/vault.ts'
const sessions = 'src/server/auth/sessions.ts'

export const mutants: Record<string, Mutant> = {
  'strict-rotation': {
    does: 'the server takes a refresh token only while it is the newest, and keeps no old one for a lost answer',
    file: sessions,
    from: 'if (token.generation !== session.confirmedGeneration && !isNext) {',
    to: 'if (token.generation !== session.lastGeneration) {',
    caughtBy: ['honest-sign-out', 'honest-session-revoked'],
  },
  'delete-without-compare': {
    does: 'a refusal clears the vault although it holds another pair by now',
    file: vault,
    from: 'if (read && !isSame(stored, read)) return false',
    to: '',
    caughtBy: ['honest-sign-out'],
  },
  'refusal-on-any-4xx': {
    does: 'any 4xx of a renewal ends the session on the device',
    file: keeper,
    from: 'if (!isRefused) throw undelivered(answer)',
    to: 'if (!isRefused && answer.status >= 500) throw undelivered(answer)',
    caughtBy: ['honest-sign-out'],
  },
  'write-without-compare': {
    does: 'a renewal that was under way puts its pair in a vault that was signed out meanwhile',
    file: vault,
    from: 'if (!isSame(stored, read)) return false',
    to: '',
    caughtBy: ['session-came-back'],
  },
  'use-before-persist': {
    does: 'a new access token is used without waiting for the disk',
    file: keeper,
    from: 'const isWritten = await unlessFull(vault.writeIf(state, next), () => {',
    to: 'void vault.writeIf(state, next).catch(() => {})\nconst isWritten = await unlessFull(Promise.resolve(true), () => {',
    caughtBy: ['used-before-persisted'],
  },
  'bare-call': {
    does: 'signed out, a call leaves without its Bearer',
    file: 'src/worker/gateway.ts',
    from: "return endpoint.auth === 'optional' ? send({})",
    to: "return endpoint.auth !== 'public' ? send({})",
    caughtBy: ['bare-call'],
  },
  'mint-after-revocation': {
    does: 'the server renews a session that was ended',
    file: sessions,
    from: 'if (end) return refused(end, session.id)',
    to: "if (end && end !== 'session_revoked') return refused(end, session.id)",
    caughtBy: ['minted-after-revocation'],
  },
  'key-unchecked': {
    does: 'the server does not ask whose key made the proof',
    file: sessions,
    from: 'isBound && session.deviceKey !== deviceKey',
    to: 'false',
    caughtBy: ['replay-minted'],
  },
  'proof-again': {
    does: 'the server takes a proof twice',
    file: 'src/server/http/proof.ts',
    from: 'if (numInsertedOrUpdatedRows === 0n)',
    to: 'if (false)',
    caughtBy: ['replay-minted'],
  },
}

/** The source with its one text replaced. A text that is not there exactly once is an error: no mutant does nothing. */
export function mutate(source: string, { file, from, to }: Mutant<string>): string {
  const parts = source.split(from)
  if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times, and not once: ${from}`)
  return parts.join(to)
}

/** Must be called before the first import of what is mutated. */
export function plant(mutant: Mutant<string>): void {
  const target = pathToFileURL(path.join(root, mutant.file)).href
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (url !== target) return loaded
      return { ...loaded, source: mutate(Buffer.from(loaded.source as Uint8Array).toString(), mutant) }
    },
  })
}
