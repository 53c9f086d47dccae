import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { may } from '#shared/permissions.ts'
import { useCurrentOrganization } from '#page/current-organization.ts'

/** Ctrl/Cmd+K goes anywhere, N writes an invoice, / searches; never while somebody types. */
export function useShortcuts(isOpen: boolean, openPalette: () => void): void {
  const navigate = useNavigate()
  const organization = useCurrentOrganization()
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        return openPalette()
      }
      // What is typed while the palette opens is meant for it.
      if (isOpen) return
      const typing =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]')
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'n' && (!organization || may(organization, 'invoice.draft'))) {
        event.preventDefault()
        void navigate({ to: '/invoices/new' })
      }
      if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('input[type="search"]')
        event.preventDefault()
        if (search) search.focus()
        else openPalette()
      }
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}
