// `navigator.locks` between the contexts of a device: first come first served, let go when their holder is killed.
import type { Mortal } from '#tests/soak/steps.ts'

export interface Locks {
  request<T>(life: Mortal, name: string, work: () => Promise<T>): Promise<T>
  release(life: Mortal): void
}

export function createLocks(): Locks {
  const holders = new Map<string, Mortal>()
  let waiting: (() => void)[] = []
  const free = (name: string) => {
    holders.delete(name)
    const all = waiting
    waiting = []
    for (const each of all) each()
  }
  return {
    release(life) {
      for (const [name, holder] of holders) if (holder === life) free(name)
    },
    async request(life, name, work) {
      while (holders.has(name)) await new Promise<void>((resolve) => waiting.push(resolve))
      if (!life.alive()) return new Promise<never>(() => {})
      holders.set(name, life)
      try {
        return await work()
      } finally {
        if (holders.get(name) === life) free(name)
      }
    },
  }
}
