import { useEffect, useRef } from 'react'
import { useOrganizations } from '#page/current-organization.ts'

/** Of an organization that is theirs no more no logo stays on the device. */
export function useOwnLogos(): void {
  const { data } = useOrganizations()
  const before = useRef(data)
  useEffect(() => {
    const isGone = ({ id }: { id: string }) => !data!.some((each) => each.id === id)
    // Seldom, so what does it is loaded then.
    if (data && before.current?.some(isGone))
      void import('#page/device/logo.ts').then(({ keepLogosOf }) => keepLogosOf(data)).catch(() => {})
    before.current = data
  }, [data])
}
