import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { AccountScreen } from '#page/features/account/account-screen.tsx'
import { Devices } from '#page/features/account/devices.tsx'
import { Passkeys } from '#page/features/account/passkeys.tsx'
import { Password } from '#page/features/account/password.tsx'
import { accountQuery, passkeysQuery, sessionsQuery } from '#page/features/account/queries.ts'

export const Route = createFileRoute('/account/security')({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(accountQuery)
    void queryClient.prefetchQuery(sessionsQuery)
    void queryClient.prefetchQuery(passkeysQuery)
  },
  component: SecurityScreen,
})

function SecurityScreen() {
  const email = useQuery(accountQuery).data?.email ?? ''
  return (
    <AccountScreen part="security">
      <Devices />
      <Passkeys email={email} />
      <Password email={email} />
    </AccountScreen>
  )
}
