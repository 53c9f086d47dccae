// Pieces of a screen whose code is loaded when they are first shown.
import { lazy, useEffect, useEffectEvent, type ComponentType, type LazyExoticComponent } from 'react'
import { isReachable, reach } from './device/connection.ts'
import { notify } from './ui/notify.ts'
import { isUndelivered } from './undelivered.ts'
import { text } from './words/text.ts'

/** A file that is gone for good does not come. */
const mostTries = 5
/** Where the network is away already, a file that some cache has comes sooner. */
const patienceMs = 1000

/** React's `lazy`, for pieces that may be asked for while their file cannot be had: they come when the server is there again, and until then stay out. */
export function lazily<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  async function come(tries = 1): Promise<{ default: ComponentType<Props> }> {
    try {
      return { default: await load() }
    } catch (error) {
      if (!isUndelivered(error) || tries === mostTries) throw error
      await new Promise<void>((resolve) => {
        const end = reach.listen(() => {
          if (!isReachable()) return
          end()
          resolve()
        })
      })
      return come(tries + 1)
    }
  }
  return lazy(() => come())
}

/**
 * Stands in for what a press asked for, a dialog or a menu, until its file is here. Where that cannot be had it says so and is closed: the next press asks
 * again.
 */
export function Late({ onClose }: { onClose: () => void }) {
  const look = useEffectEvent(() => {
    if (isReachable()) return
    notify('error', text.errors.unreachable)
    onClose()
  })
  useEffect(() => {
    // The worker has every file: what takes long then is a slow phone.
    if (navigator.serviceWorker?.controller) return
    const timer = setTimeout(() => look(), patienceMs)
    const end = reach.listen(() => look())
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [])
  return null
}
