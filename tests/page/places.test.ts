// Where the palette leads: every screen of an organization by the words that people type, and none that refuses them.
import { describe, expect, test } from 'vitest'
import { matchesSearch, searchKey } from '#shared/search-key.ts'
import { roles, type Role } from '#shared/permissions.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { german } from '#page/words/app-german.ts'
import { english } from '#page/words/app-english.ts'
import { english as sharedEnglish } from '#page/words/english.ts'
import { german as sharedGerman } from '#page/words/german.ts'
import { speak } from '#page/words/text.ts'
import { speakApp } from '#page/words/app-text.ts'
import { places } from '#page/features/shell/places.ts'
import { seller } from '#tests/support/issued-documents.ts'

const as = (role: Role) => ({ ...seller, id: 'x', role, membersMayIssue: true }) as unknown as Organization
const found = (typed: string, role: Role = 'owner') =>
  places(as(role))
    .filter(({ label, also }) => matchesSearch(searchKey(label, also), typed))
    .map(({ id }) => id)

describe('the palette', () => {
  test.each([
    ['settings', 'settings'],
    ['members', 'members'],
    ['recurring', 'recurring'],
    ['reminders', 'reminders'],
    ['activity', 'activity'],
    ['import', 'import-customers'],
    ['payments', 'payments'],
    ['quotes', 'quotes'],
    ['data', 'data'],
    ['failures', 'failures'],
    ['numbers', 'numbers'],
    ['organization', 'organization'],
  ])('finds by %s', (typed, id) => expect(found(typed)).toContain(id))

  test.each([
    ['Einstellungen', 'settings'],
    ['Mitglieder', 'members'],
    ['wiederkehrend', 'recurring'],
    ['Erinnerungen', 'reminders'],
    ['Verlauf', 'activity'],
    ['import', 'import-customers'],
    ['Zahlungen', 'payments'],
    ['Angebote', 'quotes'],
    ['Daten', 'data'],
    ['Fehler', 'failures'],
    ['Nummern', 'numbers'],
  ])('finds in German by %s', (typed, id) => {
    speak(sharedGerman)
    speakApp(german)
    expect(found(typed)).toContain(id)
    speak(sharedEnglish)
    speakApp(english)
  })

  test('offers nobody what their role refuses', () => {
    const offered = (role: Role) => places(as(role)).map(({ id }) => id)
    const refused = 'new-invoice new-quote new-customer new-item new-payment activity import-items failures numbers'
    for (const id of refused.split(' ')) {
      expect(offered('viewer')).not.toContain(id)
      expect(offered('owner')).toContain(id)
    }
    for (const role of roles) expect(offered(role)).toContain('settings')
    // Who keeps the books shows that no number is left out.
    expect(roles.filter((role) => offered(role).includes('numbers'))).toEqual(['owner', 'admin', 'accountant'])
    expect(places(null).map(({ id }) => id)).not.toContain('new-invoice')
  })
})
