// What is said when the browser has cleared what Docket kept: hardly ever read, so it comes with the notice and not with every first screen.
import type { Language } from '#shared/language.ts'

interface LossWords {
  database: string
  text: string
  read: string
}

export const lossWords: Readonly<Record<Language, LossWords>> = {
  en: {
    database:
      'Your browser has cleared what Docket kept on this device. What had reached the server is safe; what had not been sent is sent when you sign in again, unless your browser has cleared its second copy as well.',
    text: 'Your browser has cleared a part of what Docket kept on this device: text that was typed and not saved is gone. Everything that was saved is still here.',
    read: 'Understood',
  },
  de: {
    database:
      'Ihr Browser hat gelöscht, was Docket auf diesem Gerät gespeichert hatte. Was beim Server ist, ist sicher; was noch nicht gesendet war, wird es nach der Anmeldung, außer der Browser hat auch dessen zweite Kopie gelöscht.',
    text: 'Ihr Browser hat einen Teil dessen gelöscht, was Docket auf diesem Gerät gespeichert hatte: Nicht gespeicherte Eingaben sind weg, alles Gespeicherte ist noch da.',
    read: 'Verstanden',
  },
}
