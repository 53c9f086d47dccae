// The token of a mailed link: read once, and out of the address bar before anything else, because addresses are copied, shared and kept.
import { useEffect, useState } from 'react'

/** The token that the screen was opened with; `forget` puts the address without it in the place of the present one. */
export function useLinkToken(inAddress: string, forget: () => void): string {
  const [token, setToken] = useState(inAddress)
  // Another link opened in the same tab.
  if (inAddress !== '' && inAddress !== token) setToken(inAddress)
  useEffect(() => {
    if (inAddress !== '') forget()
    // oxlint-disable-next-line react/exhaustive-deps -- The token alone decides.
  }, [inAddress])
  return token
}
