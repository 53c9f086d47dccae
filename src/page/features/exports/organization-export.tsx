// Everything an organization has as one ZIP: asked for, watched while it is made, downloaded.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Clock, Download, LoaderCircle, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { OrganizationExport } from '#shared/contract/exports.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { may } from '#shared/permissions.ts'
import { formatCount, formatInstant, type Zoned } from '#page/words/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { offerFile } from '#page/offer-file.ts'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'
import { Badge } from '#page/ui/badge.tsx'
import { Button } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import { Section } from '#page/ui/screen.tsx'
import { createExport, deleteExport, downloadExport, exportsQuery } from './queries.ts'

const t = text.exports
const looks = {
  waiting: ['neutral', Clock],
  running: ['info', LoaderCircle],
  ready: ['good', CircleCheck],
} as const

export function OrganizationExports({ organization }: { organization: Organization }) {
  if (!may(organization, 'organization.export')) {
    return (
      <Section title={t.wholeTitle}>
        <p className="text-muted">{t.onlySome}</p>
      </Section>
    )
  }
  return <Exports organization={organization} />
}

function Exports({ organization }: { organization: Organization }) {
  const { id: organizationId, name } = organization
  const queryClient = useQueryClient()
  const query = useQuery(exportsQuery(organizationId))
  const press = usePress()
  const isMade = query.data?.data.some(({ state }) => state !== 'ready') ?? false
  return (
    <Section title={t.wholeTitle}>
      <p className="text-muted">{t.wholeLead}</p>
      <Button
        look="primary"
        className="justify-self-start"
        busy={press.isBusy || isMade}
        onClick={() => press.run(() => createExport(queryClient, organizationId))}
      >
        {t.make}
      </Button>
      <Loaded query={query} rows={1} atServer="exports" isPart>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted">{t.none}</p>
          ) : (
            <ul className="divide-y divide-line">
              {data.map((each) => (
                <ExportRow
                  key={each.id}
                  made={each}
                  organization={organization}
                  fileName={`${name} ${each.createdAt.slice(0, 10)}.zip`}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

interface RowProps {
  made: OrganizationExport
  organization: Zoned
  fileName: string
}

function ExportRow({ made, organization, fileName }: RowProps) {
  const queryClient = useQueryClient()
  const download = usePress()
  const remove = usePress()
  const { state, done, total, bytes, failures, expiresAt, createdAt } = made
  const [tone, Icon] = looks[state]
  const title = t.of(formatInstant(createdAt, organization))
  return (
    <li className="grid gap-3 py-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">{title}</h3>
        <Badge tone={tone} icon={<Icon className="size-4" aria-hidden />}>
          {t.states[state]}
        </Badge>
      </div>
      {state === 'running' && (
        <div className="grid gap-1">
          <progress className="w-full" max={Math.max(total, 1)} value={done} aria-label={title} />
          <output className="text-sm text-muted">{t.counted(formatCount(done), formatCount(total))}</output>
        </div>
      )}
      {failures > 0 && <p className="text-sm text-danger">{t.failed}</p>}
      {expiresAt !== null && (
        <p className="text-sm text-muted">{t.kept(formatInstant(expiresAt, organization), formatBytes(bytes ?? 0))}</p>
      )}
      <div className="flex flex-wrap gap-2">
        {state === 'ready' && (
          <Button
            icon={<Download className="size-5" aria-hidden />}
            busy={download.isBusy}
            onClick={() => download.run(async () => offerFile(fileName, await downloadExport(made)))}
          >
            {download.isBusy ? t.downloading : t.download}
          </Button>
        )}
        <Button
          look="quiet"
          icon={<Trash2 className="size-5" aria-hidden />}
          busy={remove.isBusy}
          onClick={() =>
            remove.run(async () => {
              await deleteExport(queryClient, made)
              notify('success', state === 'ready' ? t.removed : t.stopped)
            })
          }
        >
          {state === 'ready' ? t.remove : t.stop}
        </Button>
      </div>
    </li>
  )
}

/** One press at a time; what goes wrong is said. */
function usePress(): { isBusy: boolean; run: (work: () => Promise<void>) => void } {
  const [isBusy, setBusy] = useState(false)
  const run = (work: () => Promise<void>) => {
    setBusy(true)
    work()
      .catch((error: unknown) => notify('error', problemText(error, 'action')))
      .finally(() => setBusy(false))
  }
  return { isBusy, run }
}

function formatBytes(bytes: number): string {
  const [unit, size] = bytes < 1_000_000 ? (['kilobyte', 1000] as const) : (['megabyte', 1_000_000] as const)
  const style = { style: 'unit', unit, maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(navigator.languages, style).format(Math.max(bytes / size, 0.1))
}
