// The toast area with the constants of the seed, section 9: top centre, rich colours.
import { Toaster as Sonner, toast } from 'sonner'

const undoMs = 10_000

export interface NoticeAction {
  label: string
  run: () => void
  /** It can be done for so long and no longer: what the pointer, the keyboard or another tab keeps on the screen goes then all the same. */
  withinMs?: number
}

/** `label`: what the area is called for who hears it. */
export function Toaster({ theme, label }: { theme: 'dark' | 'light'; label: string }) {
  return (
    // Sonner would send the focus that leaves a toast back to where it came from: Tab would never get past it.
    <div className="contents" onFocusCapture={(event) => event.stopPropagation()}>
      <Sonner
        theme={theme}
        position="top-center"
        richColors
        visibleToasts={3}
        duration={4000}
        gap={14}
        offset={24}
        mobileOffset={16}
        containerAriaLabel={label}
      />
    </div>
  )
}

export function show(
  type: 'success' | 'info' | 'warning' | 'error' | 'loading',
  message: string,
  action?: NoticeAction,
): void {
  const shown = toast[type](
    message,
    action && { action: { label: action.label, onClick: action.run }, duration: undoMs },
  )
  if (action?.withinMs) setTimeout(() => toast.dismiss(shown), action.withinMs)
}

export function clear(): void {
  toast.dismiss()
}
