// Who goes next: of everything that waits at network or disk one is chosen by dice and goes on alone to its next wait, so that a seed is a run.

/** Something that can die; whatever it waits for then never comes. */
export interface Mortal {
  alive(): boolean
  death: Promise<unknown>
}

/** Lets others go on while this one waits for something else than its turn. */
export type Away = <T>(wait: Promise<T>) => Promise<T>

export interface Steps {
  take<T>(work: (away: Away) => Promise<T>, whose?: Mortal): Promise<T>
  /** How the next choices fall, from 0 up to 1; null lets all run as they come, with the true races that no seed repeats. */
  choose(by: (() => number) | null): void
  /** When nothing works and nothing waits for its turn: what is left waits for time, or for good. */
  rest(): Promise<void>
}

interface Waiting {
  whose: Mortal | undefined
  go: () => void
}

/** What the platform does meanwhile by itself: signing and making keys happen on other threads. */
let busy = 0
let becameIdle = () => {}
export const working = <T>(work: Promise<T>): Promise<T> => {
  busy += 1
  return work.finally(() => {
    busy -= 1
    becameIdle()
  })
}
const { subtle } = globalThis.crypto
for (const name of ['sign', 'exportKey', 'generateKey'] as const) {
  const original = subtle[name].bind(subtle) as (...args: unknown[]) => Promise<unknown>
  Object.defineProperty(subtle, name, { value: (...args: unknown[]) => working(original(...args)) })
}

const turnOfLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

export function createSteps(): Steps {
  let by: (() => number) | null = () => 0
  let waiting: Waiting[] = []
  let underWay = 0
  let isLooking = false
  let resting: (() => void)[] = []

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    // What goes on without waiting for anything has come to its next wait after this.
    for (let turn = 0; turn < 3; turn += 1) await turnOfLoop()
    isLooking = false
    if (underWay > 0 || busy > 0) return
    waiting = waiting.filter(({ whose }) => whose?.alive() !== false)
    // No throw without a choice: how often nobody waits is up to the machine.
    const next = waiting.length > 1 && by ? waiting[Math.floor(by() * waiting.length)] : waiting[0]
    if (!next) {
      const all = resting
      resting = []
      for (const each of all) each()
      return
    }
    waiting = waiting.filter((each) => each !== next)
    underWay += 1
    next.go()
  }
  becameIdle = () => void look()

  return {
    choose: (next) => void (by = next),
    rest: () =>
      new Promise((resolve) => {
        resting.push(resolve)
        void look()
      }),
    async take(work, whose) {
      if (!by) return work((wait) => wait)
      let holds = false
      const begin = async () => {
        await new Promise<void>((resolve) => {
          waiting.push({ whose, go: resolve })
          void look()
        })
        holds = true
      }
      const end = () => {
        if (!holds) return
        holds = false
        underWay -= 1
        void look()
      }
      void whose?.death.then(end)
      await begin()
      try {
        return await work(async (wait) => {
          end()
          const result = await wait
          await begin()
          return result
        })
      } finally {
        end()
      }
    },
  }
}
