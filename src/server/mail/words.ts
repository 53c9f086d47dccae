// What mails say, in each language: a catalogue as the page's. Names come in escaped or made plain by templates.ts.
import type { Language } from '#shared/language.ts'
import type { Role } from '#shared/permissions.ts'

const english = {
  hello: 'Hello,',
  helloNamed: (name: string) => `Hello ${name},`,
  verification: {
    subject: 'Verify your email for Docket',
    lead: 'Click the link to finish setting up your account:',
    label: 'Verify my email',
    end: 'The link is good for 24 hours. If you did not create an account at Docket, ignore this mail.',
  },
  reset: {
    subject: 'Set a new password for Docket',
    lead: 'Somebody, probably you, asked for a new password. Choose it here:',
    label: 'Set a new password',
    end: 'The link is good for one hour and works once. All your devices are signed out when it is used. If this was not you, ignore this mail: nothing has changed.',
  },
  changeFrom: {
    subject: 'Confirm the change of your email',
    lead: (email: string) =>
      `The email of your Docket account is to become ${email}. Confirm that this is what you want:`,
    label: 'Confirm the change',
    end: 'The change is made when the link sent to the new address has been opened as well. Links are good for 24 hours. If this was not you, do not open it and change your password.',
  },
  changeTo: {
    subject: 'Confirm your new email for Docket',
    lead: 'This address is to become the email of your Docket account. Confirm that it is yours:',
    label: 'Confirm this address',
    end: 'The change is made when the link sent to the old address has been opened as well. Links are good for 24 hours.',
  },
  emailChanged: {
    subject: 'The email of your Docket account was changed',
    lead: (email: string) => `Your account now uses ${email}. This address no longer opens it.`,
    end: 'If this was not you, answer this mail at once.',
  },
  passwordChanged: {
    subject: 'Your Docket password was changed',
    lead: 'The password of your account was changed, and other devices were signed out.',
    end: 'If this was not you, set a new one with "Forgot your password?" on the sign-in screen.',
  },
  passkeyAdded: {
    subject: 'A passkey was added to your Docket account',
    lead: (passkey: string) => `A passkey (${passkey}) was added to your account: it signs in without the password.`,
    end: 'If this was not you, remove it in your account settings and change your password.',
  },
  passkeyRemoved: {
    subject: 'A passkey was removed from your Docket account',
    lead: (passkey: string) => `A passkey (${passkey}) was removed from your account: it signs nobody in any more.`,
    end: 'If this was not you, change your password and sign out all other devices in your account settings.',
  },
  accountClosed: {
    subject: 'Your Docket account was closed',
    lead: 'Your account is closed and all devices are signed out. What is kept about you is erased in 30 days.',
  },
  invitation: {
    organization: 'an organization',
    somebody: 'Somebody',
    roles: {
      owner: 'owner',
      admin: 'admin',
      accountant: 'accountant',
      member: 'member',
      viewer: 'viewer',
    } satisfies Record<Role, string> as Record<Role, string>,
    subject: (organization: string) => `Invitation to ${organization} on Docket`,
    lead: (inviter: string, organization: string, role: string) =>
      `${inviter} invites you to work on the invoices of ${organization} at Docket, as ${role}.`,
    label: 'See the invitation',
    end: 'The link is good for 7 days. Sign in, or create an account, with this very address. If you do not know them, ignore this mail.',
  },
  quoteAnswered: {
    somebody: 'Somebody with the link',
    customer: 'your customer',
    subject: {
      accepted: (number: string) => `Quote ${number} was accepted`,
      declined: (number: string) => `Quote ${number} was declined`,
    },
    lead: {
      accepted: (who: string, number: string, customer: string) =>
        `${who} has accepted the quote ${number} for ${customer}.`,
      declined: (who: string, number: string, customer: string) =>
        `${who} has declined the quote ${number} for ${customer}.`,
    },
    label: 'Open the quote',
  },
  exported: {
    organization: 'your organization',
    subject: (organization: string) => `Your export of ${organization} is ready`,
    lead: (organization: string) => `The export of ${organization} is ready to download:`,
    label: 'Download the export',
    end: 'It is kept for 7 days. You have to be signed in to download it.',
  },
}

type MailWords = typeof english

const german: MailWords = {
  hello: 'Guten Tag,',
  helloNamed: (name) => `Guten Tag ${name},`,
  verification: {
    subject: 'Bestätigen Sie Ihre E-Mail für Docket',
    lead: 'öffnen Sie den Link, um Ihr Konto fertig einzurichten:',
    label: 'Meine E-Mail bestätigen',
    end: 'Der Link gilt 24 Stunden. Wenn Sie kein Konto bei Docket erstellt haben, beachten Sie diese Mail nicht.',
  },
  reset: {
    subject: 'Neues Passwort für Docket festlegen',
    lead: 'jemand, vermutlich Sie, hat ein neues Passwort angefordert. Wählen Sie es hier:',
    label: 'Neues Passwort festlegen',
    end: 'Der Link gilt eine Stunde und nur einmal. Wird er verwendet, werden alle Ihre Geräte abgemeldet. Wenn Sie das nicht waren, beachten Sie diese Mail nicht: Es hat sich nichts geändert.',
  },
  changeFrom: {
    subject: 'Bestätigen Sie die Änderung Ihrer E-Mail',
    lead: (email) => `die E-Mail Ihres Docket-Kontos soll ${email} werden. Bestätigen Sie, dass Sie das wollen:`,
    label: 'Änderung bestätigen',
    end: 'Geändert wird, wenn auch der Link an die neue Adresse geöffnet ist. Links gelten 24 Stunden. Wenn Sie das nicht waren, öffnen Sie ihn nicht und ändern Sie Ihr Passwort.',
  },
  changeTo: {
    subject: 'Bestätigen Sie Ihre neue E-Mail für Docket',
    lead: 'diese Adresse soll die E-Mail Ihres Docket-Kontos werden. Bestätigen Sie, dass es Ihre ist:',
    label: 'Diese Adresse bestätigen',
    end: 'Geändert wird, wenn auch der Link an die alte Adresse geöffnet ist. Links gelten 24 Stunden.',
  },
  emailChanged: {
    subject: 'Die E-Mail Ihres Docket-Kontos wurde geändert',
    lead: (email) => `Ihr Konto verwendet jetzt ${email}. Diese Adresse öffnet es nicht mehr.`,
    end: 'Wenn Sie das nicht waren, antworten Sie sofort auf diese Mail.',
  },
  passwordChanged: {
    subject: 'Ihr Docket-Passwort wurde geändert',
    lead: 'das Passwort Ihres Kontos wurde geändert, und andere Geräte wurden abgemeldet.',
    end: 'Wenn Sie das nicht waren, legen Sie auf der Anmeldeseite mit „Passwort vergessen?“ ein neues fest.',
  },
  passkeyAdded: {
    subject: 'Ihrem Docket-Konto wurde ein Passkey hinzugefügt',
    lead: (passkey) => `Ihrem Konto wurde ein Passkey (${passkey}) hinzugefügt: Er meldet ohne Passwort an.`,
    end: 'Wenn Sie das nicht waren, entfernen Sie ihn in Ihren Kontoeinstellungen und ändern Sie Ihr Passwort.',
  },
  passkeyRemoved: {
    subject: 'Aus Ihrem Docket-Konto wurde ein Passkey entfernt',
    lead: (passkey) => `aus Ihrem Konto wurde ein Passkey (${passkey}) entfernt: Er meldet niemanden mehr an.`,
    end: 'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und melden Sie in Ihren Kontoeinstellungen alle anderen Geräte ab.',
  },
  accountClosed: {
    subject: 'Ihr Docket-Konto wurde geschlossen',
    lead: 'Ihr Konto ist geschlossen, und alle Geräte sind abgemeldet. Was über Sie gespeichert ist, wird in 30 Tagen gelöscht.',
  },
  invitation: {
    organization: 'einer Organisation',
    somebody: 'Jemand',
    roles: {
      owner: 'Inhaber',
      admin: 'Verwalter',
      accountant: 'Buchhalter',
      member: 'Mitarbeiter',
      viewer: 'Nur Ansicht',
    },
    subject: (organization) => `Einladung zu ${organization} auf Docket`,
    lead: (inviter, organization, role) =>
      `${inviter} lädt Sie ein, bei Docket an den Rechnungen von ${organization} mitzuarbeiten. Ihre Rolle: ${role}.`,
    label: 'Einladung ansehen',
    end: 'Der Link gilt 7 Tage. Melden Sie sich mit genau dieser Adresse an, oder erstellen Sie damit ein Konto. Wenn Sie den Absender nicht kennen, beachten Sie diese Mail nicht.',
  },
  quoteAnswered: {
    somebody: 'Jemand mit dem Link',
    customer: 'Ihren Kunden',
    subject: {
      accepted: (number) => `Angebot ${number} wurde angenommen`,
      declined: (number) => `Angebot ${number} wurde abgelehnt`,
    },
    lead: {
      accepted: (who, number, customer) => `${who} hat das Angebot ${number} für ${customer} angenommen.`,
      declined: (who, number, customer) => `${who} hat das Angebot ${number} für ${customer} abgelehnt.`,
    },
    label: 'Angebot öffnen',
  },
  exported: {
    organization: 'Ihrer Organisation',
    subject: (organization) => `Ihr Export von ${organization} ist fertig`,
    lead: (organization) => `der Export von ${organization} steht zum Herunterladen bereit:`,
    label: 'Export herunterladen',
    end: 'Er wird 7 Tage aufbewahrt. Zum Herunterladen müssen Sie angemeldet sein.',
  },
}

export const mailWords: Readonly<Record<Language, MailWords>> = { en: english, de: german }
