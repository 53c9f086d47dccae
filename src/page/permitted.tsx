import type { ReactNode } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { may, type Permission } from '#shared/permissions.ts'
import { text } from '#page/words/app-text.ts'
import { Notice } from './ui/screen.tsx'

/** A form that somebody may fill in; whoever may not is told before they begin. */
export function Permitted({
  organization,
  permission,
  children,
}: {
  organization: Organization
  permission: Permission
  children: ReactNode
}) {
  return may(organization, permission) ? children : <Notice tone="warn">{text.imports.mayNot}</Notice>
}
