// Pieces of a screen whose code is loaded when they are first shown.
import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { isReachable, reach } from './device/connection.ts'
import { isUndelivered } from './undelivered.ts'

/** A file that is gone for good does not come. */
const mostTries = 5

/** Of all pieces that any screen so far may show. */
export const pieces = new Set<() => Promise<unknown>>()

/** React's `lazy`, for pieces that may be asked for while their file cannot be had: they come when the server is there again, and until then stay out. */
export function lazily<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  pieces.add(load)
  return lazy(() => whenThere(async () => ({ default: await load() })))
}

/** Loads it once the server can be reached. */
export async function whenThere<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let tries = 1; ; tries += 1)
    try {
      return await load()
    } catch (error) {
      if (!isUndelivered(error) || tries === mostTries) throw error
      await new Promise<void>((resolve) => {
        const end = reach.listen(() => {
          if (!isReachable()) return
          end()
          resolve()
        })
      })
    }
}
