// Argon2id, few at once: it runs on libuv's threads, which the rest of the server needs too, and leaves a processor to everybody else.
import { availableParallelism } from 'node:os'
import { hash, verify, type Algorithm } from '@node-rs/argon2'

const parameters = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = Math.min(2, Math.max(1, availableParallelism() - 1))

let running = 0
const waiting: (() => void)[] = []

async function turn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

export function hashPassword(password: string): Promise<string> {
  return turn(() => hash(normalised(password), parameters))
}

// For addresses without an account: the same work on a fixed hash, so that time does not tell.
const nobody = hashPassword('nobody has this password')

/** Whether the password is the account's; without an account always false, after the same work. */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  const against = passwordHash ?? (await nobody)
  const matches = await turn(() => verify(against, normalised(password)))
  return matches && passwordHash !== null
}

/** Keyboards differ in how they compose accents. */
function normalised(password: string): string {
  return password.normalize('NFKC')
}
