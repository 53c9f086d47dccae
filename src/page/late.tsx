import { useEffect, useEffectEvent } from 'react'
import { isReachable, reach } from './device/connection.ts'
import { notify } from './ui/notify.ts'
import { text } from './words/text.ts'

/** Where the network is away already, a file that some cache has comes sooner. */
const patienceMs = 1000

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
