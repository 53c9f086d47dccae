import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { AccountScreen } from '#page/features/account/account-screen.tsx'
import { Appearance } from '#page/features/account/appearance.tsx'
import { Email } from '#page/features/account/email.tsx'
import { Profile } from '#page/features/account/profile.tsx'
import { accountQuery } from '#page/features/account/queries.ts'
import { Loaded } from '#page/loaded.tsx'

export const Route = createFileRoute('/account/')({
  loader: ({ context }) => void context.queryClient.prefetchQuery(accountQuery),
  component: ProfileScreen,
})

function ProfileScreen() {
  const query = useQuery(accountQuery)
  return (
    <AccountScreen part="profile">
      <Loaded query={query} atServer="account" isPart>
        {(account) => (
          <>
            <Profile account={account} />
            <Email account={account} />
          </>
        )}
      </Loaded>
      <Appearance />
    </AccountScreen>
  )
}
