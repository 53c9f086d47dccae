import type { ReactNode } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { may, mayWrite, type Permission } from '#shared/permissions.ts'
import { text } from '#page/words/app-text.ts'
import { Notice } from './ui/screen.tsx'

/** A form that somebody may fill in; whoever may not is told before they begin. */
export function Permitted({
  organization,
  permission,
  document,
  children,
}: {
  organization: Organization
  permission: Permission
  /** What it is about, where not everybody with the permission may write each. */
  document?: { type: string }
  children: ReactNode
}) {
  const isTheirs = may(organization, permission) && (!document || mayWrite(organization, document))
  return isTheirs ? children : <Notice tone="warn">{text.imports.mayNot}</Notice>
}
