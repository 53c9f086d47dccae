import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { FirstSyncCard } from '#page/features/unsent/first-sync-card.tsx'
import { Toolbar } from '#page/features/unsent/toolbar.tsx'
import { UnsentList } from '#page/features/unsent/unsent-list.tsx'
import { Loaded } from '#page/loaded.tsx'
import { unsentQuery } from '#page/device/outbox-calls.ts'
import { text } from '#page/words/app-text.ts'
import { Notice, Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/unsent/')({
  loader: ({ context }) => void context.queryClient.prefetchQuery(unsentQuery),
  component: UnsentScreen,
})

function UnsentScreen() {
  const query = useQuery(unsentQuery)
  return (
    <Screen title={text.unsent.title} lead={text.unsent.lead} actions={<Toolbar entries={query.data?.entries ?? []} />}>
      <FirstSyncCard />
      {query.data?.othersWait && <Notice>{text.unsent.othersWait}</Notice>}
      <Loaded query={query}>{(unsent) => <UnsentList {...unsent} />}</Loaded>
    </Screen>
  )
}
