// Where a screen leads when its work is done.
import { useLocation, useNavigate } from '@tanstack/react-router'

/** As `useNavigate`, for what was saved here: who has gone somewhere else meanwhile, while the device or the server took its time, stays there. */
export function useOnward(): ReturnType<typeof useNavigate> {
  const navigate = useNavigate()
  const pathname = useLocation({ select: (at) => at.pathname })
  const onward = async (options: Parameters<typeof navigate>[0]) => {
    if (location.pathname === pathname) await navigate(options)
  }
  // It takes what `navigate` takes; a generic cannot be said of a function that is made here.
  return onward as typeof navigate
}
