import { useEffect, useState } from 'react'
import { findLoss, settleCanary, type Loss } from './canary.ts'
import { text } from './text.ts'
import { Button } from './ui/button.tsx'

/** Says that the browser has cleared what Docket kept on this device, on whatever screen, until it is read. */
export function LossNotice() {
  const [loss, setLoss] = useState<Loss | null>(null)
  useEffect(() => void findLoss().then(setLoss), [])
  if (!loss) return null
  return (
    <div
      role="alert"
      className="screen-only flex flex-wrap items-center justify-between gap-x-4 gap-y-1 bg-warn-soft px-4 py-2 text-warn sm:flex-nowrap"
    >
      <p>{text.loss[loss]}</p>
      <Button
        look="quiet"
        className="shrink-0"
        onClick={() => {
          setLoss(null)
          void settleCanary().catch(() => {})
        }}
      >
        {text.loss.read}
      </Button>
    </div>
  )
}
