// What the screen of a changed email's link says, and no other: it comes with that screen.
import type { Language } from '#shared/language.ts'

const english = {
  title: 'Confirm your email',
  checking: 'Confirming your email',
  waitingTitle: 'One more link to open',
  waiting: (email: string) =>
    `This address is confirmed. Your email becomes ${email} when the link sent to the other address has been opened too.`,
  changedTitle: 'Email changed',
  changed: (email: string) => `Your account now uses ${email}.`,
  expiredTitle: 'This link is no longer good',
  expired:
    'The change was made already, was cancelled, or the link is older than a day. You can begin anew in your account.',
  missing: 'Open the link from the mail again.',
  toAccount: 'To your account',
  toSignIn: 'Sign in',
}

export const confirmWords: Readonly<Record<Language, typeof english>> = {
  en: english,
  de: {
    title: 'E-Mail bestätigen',
    checking: 'Ihre E-Mail wird bestätigt',
    waitingTitle: 'Noch ein Link zu öffnen',
    waiting: (email) =>
      `Diese Adresse ist bestätigt. Ihre E-Mail wird ${email}, wenn auch der Link an die andere Adresse geöffnet ist.`,
    changedTitle: 'E-Mail geändert',
    changed: (email) => `Ihr Konto verwendet jetzt ${email}.`,
    expiredTitle: 'Dieser Link gilt nicht mehr',
    expired:
      'Die Änderung ist schon erfolgt oder wurde abgebrochen, oder der Link ist älter als ein Tag. In Ihrem Konto können Sie neu beginnen.',
    missing: 'Öffnen Sie den Link aus der Mail noch einmal.',
    toAccount: 'Zu Ihrem Konto',
    toSignIn: 'Anmelden',
  },
}
