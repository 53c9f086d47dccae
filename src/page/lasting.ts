import { useEffect, useState } from 'react'

/** Whether something has gone on for so long already: what is over sooner is not worth a word. */
export function useLasting(isOn: boolean, afterMs: number): boolean {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => setIsLong(true), afterMs)
    return () => {
      clearTimeout(timer)
      setIsLong(false)
    }
  }, [isOn, afterMs])
  return isOn && isLong
}
