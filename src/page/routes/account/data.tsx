import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { AccountScreen } from '#page/features/account/account-screen.tsx'
import { DeleteAccount } from '#page/features/account/delete-account.tsx'
import { DownloadData } from '#page/features/account/download.tsx'
import { accountQuery } from '#page/features/account/queries.ts'

export const Route = createFileRoute('/account/data')({ component: DataScreen })

function DataScreen() {
  const email = useQuery(accountQuery).data?.email ?? ''
  return (
    <AccountScreen part="data">
      <DownloadData />
      <DeleteAccount email={email} />
    </AccountScreen>
  )
}
