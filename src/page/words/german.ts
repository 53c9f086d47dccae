// The German of what every screen says: formal, in the words of a small firm's books (glossary: decision 032). Missing and surplus keys fail the compiler.
import type { Sayings } from './said.ts'
import type { Text } from './text.ts'

export const german: Text = {
  loading: 'Wird geladen',
  tryAgain: 'Erneut versuchen',
  notifications: 'Mitteilungen',
  cancel: 'Abbrechen',
  errors: {
    title: 'Fehler',
    generic: 'Etwas ist schiefgegangen!',
    show: 'Fehler anzeigen',
    hide: 'Fehler ausblenden',
    notFound: 'Nicht gefunden',
    notFoundLead: 'Hier gibt es nichts. Vielleicht wurde es gelöscht, oder der Link ist unvollständig.',
    undeliverable:
      'Keine Verbindung zum Server. Ihre Eingaben sind noch da. Versuchen Sie es erneut, sobald Sie wieder online sind.',
    stale: 'Das wurde inzwischen von jemand anderem geändert.',
    kept: 'Ihre Eingaben bleiben hier, bis Sie weggehen oder den neuen Stand laden.',
    fields: 'Einige Felder brauchen Ihre Aufmerksamkeit.',
    reload: 'Neuen Stand laden',
    deviceFull: {
      form: 'Auf diesem Gerät ist kein Platz mehr, deshalb wurde nichts gespeichert. Ihre Eingaben sind noch da: Schaffen Sie Platz und speichern Sie erneut.',
      action:
        'Auf diesem Gerät ist kein Platz mehr, deshalb ist nichts geschehen. Schaffen Sie Platz und versuchen Sie es erneut.',
      signIn:
        'Auf diesem Gerät ist kein Platz mehr, deshalb konnten Sie nicht angemeldet werden. Schaffen Sie Platz und versuchen Sie es erneut.',
    },
    unreachable: 'Keine Verbindung zum Server. Versuchen Sie es erneut, sobald Sie wieder online sind.',
  },
  wait: {
    tooMany: (clock) => `Zu viele Versuche. Ein neuer ist möglich in ${clock}`,
    again: (clock) => `Ein neuer Link ist möglich in ${clock}`,
    over: 'Sie können es jetzt erneut versuchen.',
    begins: (seconds) =>
      seconds < 60
        ? `Warten Sie ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'} bis zum nächsten Versuch.`
        : `Warten Sie ${Math.ceil(seconds / 60)} ${seconds <= 60 ? 'Minute' : 'Minuten'} bis zum nächsten Versuch.`,
    ends: 'Die Wartezeit ist vorbei.',
  },
  landing: {
    title: 'Rechnungen, die auch ohne Netz funktionieren',
    lead: 'Docket ist für Selbstständige, Handwerker und kleine Betriebe. Legen Sie es auf Ihren Startbildschirm, schreiben Sie eine Rechnung im Keller ohne Empfang, und verlassen Sie sich auf die Zahlen.',
    points: [
      [
        'Öffnet sich überall',
        'Im Zug, auf der Baustelle, im Keller: Die App startet ohne Netz und zeigt, was Sie zuletzt gesehen haben.',
      ],
      [
        'Bleibt angemeldet',
        'Kein Netz meldet Sie je ab, und Ihre Sitzung ist an dieses Gerät gebunden: Ein kopierter Schlüssel ist wertlos.',
      ],
      [
        'Auf den Cent genau',
        'Lückenlose Nummern, Umsatzsteuer je Satz, und Rechnungen, die sich nach dem Ausstellen nicht mehr ändern lassen.',
      ],
    ],
    start: 'Konto erstellen',
    signIn: 'Anmelden',
    open: 'Docket öffnen',
  },
  account: {
    name: 'Name',
    email: 'E-Mail',
    password: 'Passwort',
    passwordHint: 'Mindestens 8 Zeichen',
    signIn: 'Anmelden',
    signInTitle: 'Anmelden',
    signInLead: 'Willkommen zurück.',
    noAccount: 'Neu hier?',
    create: 'Konto erstellen',
    createTitle: 'Konto erstellen',
    createLead: 'Ein Konto für alle Ihre Organisationen.',
    haveAccount: 'Sie haben schon ein Konto?',
    wrong: 'E-Mail oder Passwort ist falsch.',
    signOut: 'Abmelden',
    signedOut: 'Sie wurden auf diesem Gerät abgemeldet.',
    kept: 'Nicht gesendete Änderungen sind auf diesem Gerät aufbewahrt. Sie werden gesendet, wenn sich anmeldet, wer sie gemacht hat.',
    somebodyElse: 'Auf diesem Gerät ist jetzt jemand anderes angemeldet',
    title: 'Konto',
    appearance: 'Darstellung',
    dark: 'Dunkel',
    light: 'Hell',
    menu: 'Ihr Konto',
    show: 'Anzeigen',
    hide: 'Verbergen',
    typed: 'Eingabe',
  },
  password: {
    new: 'Neues Passwort',
  },
  passkeys: {
    or: 'oder',
    signIn: 'Weiter mit einem Passkey',
    failed: 'Das hat Ihr Gerät nicht geschafft. Versuchen Sie es erneut, oder melden Sie sich mit Ihrem Passwort an.',
    known: 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
    unknown: 'Dieser Passkey öffnet hier kein Konto. Melden Sie sich mit Ihrem Passwort an.',
  },
  forgot: {
    ask: 'Passwort vergessen?',
    title: 'Passwort vergessen?',
    lead: 'Geben Sie die E-Mail ein, mit der Sie sich anmelden. Wir schicken Ihnen einen Link für ein neues Passwort.',
    send: 'Link senden',
    sentTitle: 'Sehen Sie in Ihr Postfach',
    sent: (email) => `Wenn es ein Konto für ${email} gibt, ist ein Link unterwegs.`,
    sentHint:
      'Er gilt eine Stunde und nur einmal. Die Mail kann eine Minute brauchen; sehen Sie auch in Spam oder Werbung nach.',
    again: 'Erneut senden',
    sentAgain: 'Ein weiterer Link ist unterwegs.',
    otherEmail: 'Andere E-Mail verwenden',
    back: 'Zurück zur Anmeldung',
  },
  reset: {
    title: 'Neues Passwort wählen',
    lead: 'Alle Ihre Geräte werden abgemeldet, und dieses wird angemeldet.',
    set: 'Passwort festlegen',
    done: 'Ihr Passwort ist geändert. Alle anderen Geräte wurden abgemeldet.',
    expiredTitle: 'Dieser Link gilt nicht mehr',
    expired: 'Er wurde schon verwendet, oder er ist älter als eine Stunde.',
    missing: 'Öffnen Sie den Link aus der Mail noch einmal, oder fordern Sie einen neuen an.',
    askAgain: 'Neuen Link senden',
  },
  verify: {
    title: 'Sehen Sie in Ihr Postfach',
    lead: 'Wir haben Ihnen einen Bestätigungslink geschickt. Öffnen Sie ihn, um Ihr Konto fertig einzurichten.',
    hint: 'Die Mail kann eine Minute brauchen. Wenn sie fehlt, sehen Sie in Spam oder Werbung nach.',
    open: 'Mail-App öffnen',
    resend: 'Link erneut senden',
    resent: 'Ein neuer Link ist unterwegs.',
    footer: 'Ein abgelaufener Link kann in den Kontoeinstellungen erneuert werden.',
    verifying: 'Ihre E-Mail wird bestätigt',
    done: 'E-Mail bestätigt',
    failed: 'Die E-Mail konnte nicht bestätigt werden',
    expiredTitle: 'Dieser Link gilt nicht mehr',
    expired:
      'Er wurde schon verwendet, oder er ist älter als ein Tag. Wenn nötig, bekommen Sie nach dem Anmelden einen neuen.',
    expiredWaiting: 'Dieser Link gilt nicht mehr. Öffnen Sie den neuesten, oder lassen Sie sich noch einen schicken.',
    signInForLink: 'Für einen neuen Link anmelden',
  },
  nav: {
    dashboard: 'Übersicht',
  },
  language: {
    title: 'Sprache',
    browser: 'Wie der Browser',
  },
}

/** What is said at the fields of the screens before a sign-in, and to somebody who was refused there. */
export const germanSayings: Sayings = {
  'Enter your name': 'Geben Sie Ihren Namen ein',
  'Enter your email': 'Geben Sie Ihre E-Mail ein',
  'Enter a password': 'Geben Sie ein Passwort ein',
  'Enter your password': 'Geben Sie Ihr Passwort ein',
  'Enter an email such as name@example.com': 'Geben Sie eine E-Mail wie name@example.com ein',
  'Contains a character that cannot be used': 'Enthält ein Zeichen, das nicht verwendet werden kann',
  'At least {} characters': 'Mindestens {} Zeichen',
  'At most {} characters': 'Höchstens {} Zeichen',
  'This email already has an account': 'Für diese E-Mail gibt es schon ein Konto',
  'Email or password is wrong': 'E-Mail oder Passwort ist falsch',
  'This session was ended': 'Diese Sitzung wurde beendet',
  'This session has expired': 'Diese Sitzung ist abgelaufen',
  'This session was ended because an old token was used':
    'Diese Sitzung wurde beendet, weil ein alter Schlüssel verwendet wurde',
  'This account is disabled': 'Dieses Konto ist gesperrt',
  'Verify your email first': 'Bestätigen Sie zuerst Ihre E-Mail',
  'Sign in to continue': 'Melden Sie sich an, um fortzufahren',
  'This link is no longer valid': 'Dieser Link gilt nicht mehr',
  'This link belongs to another account': 'Dieser Link gehört zu einem anderen Konto',
  'Too many tries': 'Zu viele Versuche',
  'Try again in {} seconds.': 'Versuchen Sie es in {} Sekunden erneut.',
  'Not found': 'Nicht gefunden',
  'Something went wrong on our side': 'Bei uns ist etwas schiefgegangen',
  'The server cannot answer right now': 'Der Server kann gerade nicht antworten',
  'No connection to the server': 'Keine Verbindung zum Server',
  'You can go on; this will work again once there is a connection.':
    'Sie können weiterarbeiten; das geht wieder, sobald eine Verbindung besteht.',
  'Somebody else is signed in on this device now.': 'Auf diesem Gerät ist jetzt jemand anderes angemeldet.',
  'This device has no room left': 'Auf diesem Gerät ist kein Platz mehr',
}
