import { useEffect, useState } from 'react'
import { findLoss, settleCanary, type Loss } from './canary.ts'
import { useSession } from '#page/session.ts'
import { language } from '#page/words/language.ts'
import { lossWords } from '#page/words/loss-words.ts'
import { Button } from '#page/ui/button.tsx'

/** Says that the browser has cleared what Docket kept on this device, on whatever screen, until it is read. */
export function LossNotice() {
  const [loss, setLoss] = useState<Loss | null>(null)
  const { status } = useSession()
  // Cleared while the page is open, it is the session that goes.
  useEffect(() => void findLoss().then(setLoss), [status])
  if (!loss) return null
  const words = lossWords[language()]
  return (
    <div
      role="alert"
      className="screen-only fixed inset-x-4 bottom-22 z-40 mx-auto grid max-w-2xl justify-items-end gap-1 rounded-xl border border-warn/50 bg-warn-soft p-4 pb-2 text-warn shadow-lg lg:bottom-6"
    >
      <p>{words[loss]}</p>
      <Button
        look="quiet"
        onClick={() => {
          // Gone once it is noted: a page loaded anew before that would say it again.
          void settleCanary()
            .catch(() => {})
            .finally(() => setLoss(null))
        }}
      >
        {words.read}
      </Button>
    </div>
  )
}
