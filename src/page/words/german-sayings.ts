// The German of what contracts and server say to somebody who is signed in (said.ts): titles of problems, and what stands at a field.
import type { Sayings } from './said.ts'

export const germanSayings: Sayings = {
  // Several of them: before any other, which would take them for one.
  '{} · {}': '{} · {}',
  // Titles and details of problems.
  'The request cannot be understood': 'Die Anfrage ist nicht zu verstehen',
  'This was saved already, with other content': 'Das wurde schon gespeichert, mit anderem Inhalt',
  'Its present state does not allow this': 'Im jetzigen Zustand geht das nicht',
  'The request is not valid JSON': 'Die Anfrage ist kein gültiges JSON',
  'The idempotency key is not valid': 'Der Wiederholungsschlüssel ist ungültig',
  'A fresh proof is needed': 'Ein neuer Nachweis ist nötig',
  'The device proof is not valid': 'Der Gerätenachweis ist ungültig',
  'Your role does not allow this': 'Ihre Rolle erlaubt das nicht',
  'This address does not know that method': 'Diese Adresse kennt diese Methode nicht',
  'This person is a member already': 'Diese Person ist schon Mitglied',
  'You are the only owner of an organization': 'Sie sind der einzige Inhaber einer Organisation',
  'This is still in use': 'Das wird noch verwendet',
  'The server was put back to an older state': 'Der Server wurde auf einen älteren Stand zurückgesetzt',
  'This was changed meanwhile': 'Das wurde inzwischen geändert',
  'The request is too large': 'Die Anfrage ist zu groß',
  'No auth token': 'Auf diesem Gerät ist niemand angemeldet',
  'Send JSON': 'Senden Sie JSON',
  'Some fields need attention': 'Einige Felder brauchen Ihre Aufmerksamkeit',
  'This idempotency key was used for another request':
    'Dieser Wiederholungsschlüssel wurde für eine andere Anfrage verwendet',
  'The version being changed must be named': 'Der Stand, der geändert wird, muss genannt werden',
  'A reminder went to this address less than ten minutes ago.':
    'An diese Adresse ging vor weniger als zehn Minuten eine Erinnerung.',
  'Drafts still name this customer.': 'Entwürfe nennen diesen Kunden noch.',
  'A recurring invoice still names this customer.': 'Eine wiederkehrende Rechnung nennt diesen Kunden noch.',
  'Nobody gives or takes a role above their own.': 'Niemand gibt oder nimmt eine Rolle über der eigenen.',
  'Nobody gives a role above their own.': 'Niemand gibt eine Rolle über der eigenen.',
  'Make somebody else an owner first, or delete the organization.':
    'Machen Sie zuerst jemand anderen zum Inhaber, oder löschen Sie die Organisation.',
  'Delete it or hand it over first: {}.': 'Löschen oder übergeben Sie sie zuerst: {}.',
  'Nothing of its invoice can be credited any more: delete this draft.':
    'Von ihrer Rechnung lässt sich nichts mehr gutschreiben: Löschen Sie diesen Entwurf.',
  'This payment has been reversed already.': 'Diese Zahlung wurde schon rückgängig gemacht.',
  'This payment waits to be reversed already.': 'Diese Zahlung wartet schon darauf, rückgängig gemacht zu werden.',
  'This invitation was {}.': 'Diese Einladung wurde {}.',
  'This is not your password': 'Das ist nicht Ihr Passwort',
  'This passkey could not be checked. Try again.': 'Dieser Passkey ließ sich nicht prüfen. Versuchen Sie es erneut.',
  'This mark is not one of ours': 'Diese Marke ist nicht von uns',
  'Choose another member of this organization': 'Wählen Sie ein anderes Mitglied dieser Organisation',
  accepted: 'angenommen',
  declined: 'abgelehnt',
  revoked: 'zurückgenommen',
  'Something else about it is not sent yet. Take that back under Unsent first.':
    'Etwas anderes daran ist noch nicht gesendet. Nehmen Sie das zuerst unter „Nicht gesendet“ zurück.',
  'Something else about it was refused. Decide about that under Unsent first.':
    'Etwas anderes daran wurde abgelehnt. Entscheiden Sie darüber zuerst unter „Nicht gesendet“.',
  'This is no file of unsent changes.': 'Das ist keine Datei nicht gesendeter Änderungen.',
  'It could not be issued and waits as a draft: {}': 'Sie konnte nicht ausgestellt werden und wartet als Entwurf: {}',
  'It was issued before an e-invoice profile was chosen':
    'Sie wurde ausgestellt, bevor ein E-Rechnungs-Profil gewählt war',
  'The customer is a private person without an e-invoice address':
    'Der Kunde ist eine Privatperson ohne E-Rechnungs-Adresse',
  'The invoice that it corrects lacks what the e-invoice profile needs':
    'Der Rechnung, die sie korrigiert, fehlt, was das E-Rechnungs-Profil braucht',
  'It was issued and not sent: {}': 'Sie wurde ausgestellt und nicht gesendet: {}',
  'The customer has no email address.': 'Der Kunde hat keine E-Mail-Adresse.',
  'Whoever set this up may not send invoices any more.': 'Wer das eingerichtet hat, darf keine Rechnungen mehr senden.',
  'The customer was deleted.': 'Der Kunde wurde gelöscht.',
  'What it says cannot be used any more: {}': 'Was darin steht, geht nicht mehr: {}',
  'Whoever set this up may not issue invoices any more.':
    'Wer das eingerichtet hat, darf keine Rechnungen mehr ausstellen.',
  // At a field.
  'This is needed': 'Das wird benötigt',
  'Enter a name': 'Geben Sie einen Namen ein',
  'Choose a country': 'Wählen Sie ein Land',
  'Choose a currency': 'Wählen Sie eine Währung',
  'Choose a time zone': 'Wählen Sie eine Zeitzone',
  'Choose a language such as en-GB': 'Wählen Sie eine Sprache wie de-DE',
  'Choose a customer': 'Wählen Sie einen Kunden',
  'Choose an invoice': 'Wählen Sie eine Rechnung',
  'Add at least one line': 'Fügen Sie mindestens eine Zeile hinzu',
  'Say what this line is for': 'Schreiben Sie, wofür diese Zeile ist',
  'Say why it is reversed': 'Sagen Sie, warum sie rückgängig gemacht wird',
  'Enter a date': 'Geben Sie ein Datum ein',
  'Enter a due date': 'Geben Sie ein Fälligkeitsdatum ein',
  'Enter a year from 1900 on': 'Geben Sie ein Jahr ab 1900 ein',
  'Enter a year from 2000 on': 'Geben Sie ein Jahr ab 2000 ein',
  'This day is still to come': 'Dieser Tag liegt in der Zukunft',
  'At most 100 %': 'Höchstens 100 %',
  'What this is a percentage of is below zero: enter an amount':
    'Wovon das ein Prozentsatz ist, liegt unter null: Geben Sie einen Betrag ein',
  'An invoice cannot be below 0: money is given back by a credit note':
    'Eine Rechnung kann nicht unter 0 liegen: Geld geben Sie mit einer Rechnungskorrektur zurück',
  'Enter a number': 'Geben Sie eine Zahl ein',
  'Enter a number such as 12.50': 'Geben Sie eine Zahl wie 12,50 ein',
  'Enter a whole number': 'Geben Sie eine ganze Zahl ein',
  'Enter whole days such as 14': 'Geben Sie ganze Tage wie 14 ein',
  'Enter 0 or more days': 'Geben Sie 0 oder mehr Tage ein',
  'Enter 1 or more': 'Geben Sie 1 oder mehr ein',
  'What this invoice says cannot be used for a new one':
    'Was diese Rechnung sagt, lässt sich nicht für eine neue verwenden',
  'Enter a subject': 'Geben Sie einen Betreff ein',
  'Write a few words': 'Schreiben Sie ein paar Worte',
  'Must not be negative': 'Darf nicht negativ sein',
  'Must be more than 0': 'Muss mehr als 0 sein',
  'Enter the exchange rate': 'Geben Sie den Wechselkurs ein',
  'Say where the exchange rate is from, such as ECB': 'Geben Sie an, woher der Wechselkurs ist, etwa von der EZB',
  '{} is your own currency: there is no exchange rate to give':
    '{} ist Ihre eigene Währung: Da gibt es keinen Wechselkurs anzugeben',
  'This rate is for {}: enter the one for {}': 'Dieser Kurs gilt für {}: Geben Sie den für {} ein',
  'Your currency is {} now: enter the exchange rate into it':
    'Ihre Währung ist jetzt {}: Geben Sie den Wechselkurs dafür ein',
  'This number is too large': 'Diese Zahl ist zu groß',
  'This amount is too large': 'Dieser Betrag ist zu groß',
  'At most {} digits after the decimal point': 'Höchstens {} Stellen nach dem Komma',
  'At most {} days': 'Höchstens {} Tage',
  'At most {} lines': 'Höchstens {} Zeilen',
  'At most {} discounts on a line': 'Höchstens {} Rabatte in einer Zeile',
  'At most {} extra charges on a line': 'Höchstens {} Zuschläge in einer Zeile',
  'At most {} discounts': 'Höchstens {} Rabatte',
  'At most {} extra charges': 'Höchstens {} Zuschläge',
  'At most {} invoices': 'Höchstens {} Rechnungen',
  'At most {}': 'Höchstens {}',
  'Must be a UUID': 'Muss eine UUID sein',
  'Must be one of {}': 'Muss eines davon sein: {}',
  'Must be {} to {}': 'Muss zwischen {} und {} liegen',
  'Must be 0 for {}': 'Muss 0 sein für: {}',
  'A unit code such as C62': 'Ein Code einer Einheit wie C62',
  'A scheme such as 0088': 'Ein Schema wie 0088',
  'This IBAN is not valid': 'Diese IBAN ist nicht gültig',
  'This BIC is not valid': 'Diese BIC ist nicht gültig',
  '"Not subject to VAT" cannot be mixed with VAT': '„Nicht steuerbar“ lässt sich nicht mit MwSt. mischen',
  '{} % comes to {} here': '{} % ergeben hier {}',
  'Ends before it starts': 'Endet, bevor es beginnt',
  'Needs exactly one {SEQ} or {SEQ:4}': 'Braucht genau ein {SEQ} oder {SEQ:4}',
  'Needs {YYYY} or {YY}, because counting starts again each year':
    'Braucht {YYYY} oder {YY}, weil die Zählung jedes Jahr neu beginnt',
  'Needs {MM}, because counting starts again each month': 'Braucht {MM}, weil die Zählung jeden Monat neu beginnt',
  'Only letters, digits and + _ / - besides {YYYY}, {YY}, {MM} and {SEQ}':
    'Nur Buchstaben, Ziffern und + _ / - neben {YYYY}, {YY}, {MM} und {SEQ}',
  'This customer does not exist': 'Diesen Kunden gibt es nicht',
  'This customer does not exist any more': 'Diesen Kunden gibt es nicht mehr',
  'Computed here as {}': 'Hier ergibt sich {}',
  'Must be a SHA-256 in base64url': 'Muss ein SHA-256 in base64url sein',
  'This page mark is not one of ours': 'Diese Seitenmarke ist nicht von uns',
  // Payments.
  'This invoice does not exist': 'Diese Rechnung gibt es nicht',
  'This invoice is named twice': 'Diese Rechnung ist doppelt genannt',
  'Only an invoice that is issued can be paid': 'Nur eine ausgestellte Rechnung kann bezahlt werden',
  'This invoice is another customer’s': 'Diese Rechnung gehört einem anderen Kunden',
  'Must be in the invoice’s currency, {}': 'Muss in der Währung der Rechnung sein: {}',
  'Must be what is allocated, {}': 'Muss der zugeordneten Summe entsprechen: {}',
  'Nothing is due on this invoice': 'Auf dieser Rechnung ist nichts offen',
  'Only {} is due': 'Nur {} ist offen',
  'Must not be 0': 'Darf nicht 0 sein',
  'Money received and money given back are two payments':
    'Erhaltenes und zurückgezahltes Geld sind zwei verschiedene Zahlungen',
  'Nothing is to be given back on this invoice': 'Auf dieser Rechnung ist nichts zu erstatten',
  'Only {} is to be given back': 'Nur {} ist zu erstatten',
  'On {} more would have been given back than was received. Reverse the refund first.':
    'Zu {} wäre mehr zurückgezahlt als eingegangen. Machen Sie zuerst die Rückzahlung rückgängig.',
  // Credit notes.
  'Must be the customer of the invoice': 'Muss der Kunde der Rechnung sein',
  'Must be the currency of the invoice, {}': 'Muss die Währung der Rechnung sein: {}',
  'A credit note must be more than 0': 'Eine Rechnungskorrektur muss mehr als 0 betragen',
  'Only {} of this line is left': 'Von dieser Zeile ist nur {} übrig',
  'Only {} of the invoice is left': 'Von der Rechnung ist nur {} übrig',
  'Only {} is left with {}': 'Nur {} ist übrig mit {}',
  'The invoice has nothing with {}': 'Die Rechnung hat nichts mit {}',
  'VAT {} %': '{} % MwSt.',
  // VAT categories.
  Standard: 'Normalfall',
  'Zero rated': 'Nullsatz',
  Exempt: 'Steuerfrei',
  'Reverse charge': 'Umkehr der Steuerschuld (Reverse Charge)',
  'Intra-community supply': 'Innergemeinschaftliche Lieferung',
  'Export outside the EU': 'Ausfuhr außerhalb der EU',
  'Not subject to VAT': 'Nicht steuerbar',
  // E-invoices.
  'E-invoices cannot be made in {}: its amounts have three decimals, the standard allows two':
    'In {} gibt es keine E-Rechnungen: Die Beträge haben drei Nachkommastellen, die Norm erlaubt zwei',
  'Your registration number or tax number is missing: enter it in the organization’s settings':
    'Ihre Registernummer oder Steuernummer fehlt: Tragen Sie sie in den Einstellungen der Organisation ein',
  'Your VAT number is missing: enter it in the organization’s settings':
    'Ihre USt-IdNr. fehlt: Tragen Sie sie in den Einstellungen der Organisation ein',
  'Your VAT number, tax number or registration number is missing: enter it in the organization’s settings':
    'Ihre USt-IdNr., Steuernummer oder Registernummer fehlt: Tragen Sie sie in den Einstellungen der Organisation ein',
  'Your tax number must be left out, or be “Godkänd för F-skatt” (settings)':
    'Ihre Steuernummer muss frei bleiben oder „Godkänd för F-skatt“ lauten (Einstellungen)',
  'Your VAT number must begin with its country, such as BE0123456789 (settings)':
    'Ihre USt-IdNr. muss mit ihrem Land beginnen, etwa DE123456789 (Einstellungen)',
  'The customer’s VAT number must begin with its country, such as BE0123456789':
    'Die USt-IdNr. des Kunden muss mit ihrem Land beginnen, etwa DE123456789',
  'An intra-community supply needs the customer’s VAT number':
    'Eine innergemeinschaftliche Lieferung braucht die USt-IdNr. des Kunden',
  'Reverse charge needs the customer’s VAT number or registration number':
    'Die Umkehr der Steuerschuld braucht die USt-IdNr. oder Registernummer des Kunden',
  'An intra-community supply needs the date of supply':
    'Eine innergemeinschaftliche Lieferung braucht das Leistungsdatum',
  'Enter a VAT rate, or choose why there is none (such as zero rated or exempt)':
    'Geben Sie einen Steuersatz ein, oder wählen Sie, warum es keinen gibt (etwa Nullsatz oder steuerfrei)',
  'The unit {} is in no list of units: choose another':
    'Die Einheit {} steht in keiner Liste der Einheiten: Wählen Sie eine andere',
  'Enter the buyer reference or the order reference': 'Geben Sie die Referenz des Käufers oder die Bestellnummer ein',
  'Enter the buyer reference': 'Geben Sie die Referenz des Käufers ein',
  'Your e-invoice address is missing: enter it in the organization’s settings':
    'Ihre E-Rechnungs-Adresse fehlt: Tragen Sie sie in den Einstellungen der Organisation ein',
  'The customer’s e-invoice address is missing': 'Die E-Rechnungs-Adresse des Kunden fehlt',
  'Your e-invoice address (settings): {}': 'Ihre E-Rechnungs-Adresse (Einstellungen) {}',
  'The customer’s e-invoice address: {}': 'Die E-Rechnungs-Adresse des Kunden {}',
  'is missing': 'fehlt',
  '{} is no scheme of the official list': 'ist falsch: {} ist kein Schema der amtlichen Liste',
  '{} is not a number of the scheme {}': 'ist falsch: {} ist keine Nummer des Schemas {}',
  'Your IBAN is missing: enter it in the organization’s settings':
    'Ihre IBAN fehlt: Tragen Sie sie in den Einstellungen der Organisation ein',
  'Your registration number must be the eight digits of the {} (settings)':
    'Ihre Registernummer muss die acht Ziffern der {} sein (Einstellungen)',
  'Your {} is missing: enter it in the organization’s settings': 'In den Einstellungen der Organisation fehlt: {}',
  'Your {} is missing': 'In Ihrer Adresse fehlt: {}',
  'The customer’s {} is missing': 'In der Adresse des Kunden fehlt: {}',
  street: 'Straße',
  city: 'Ort',
  'postal code': 'Postleitzahl',
  'contact person': 'Ansprechpartner',
  phone: 'Telefon',
  'contact email': 'E-Mail für Kunden',
  // E-invoices of single countries.
  'Your registration number must be the ten digits of the kennitala (settings)':
    'Ihre Registernummer muss die zehn Ziffern der Kennitala sein (Einstellungen)',
  'The customer’s registration number must be the ten digits of the kennitala':
    'Die Registernummer des Kunden muss die zehn Ziffern der Kennitala sein',
  'Your tax number must have 11 to 16 capital letters and digits (settings)':
    'Ihre Steuernummer muss 11 bis 16 Großbuchstaben und Ziffern haben (Einstellungen)',
  'Your registration number must have 11 to 16 letters and digits (settings)':
    'Ihre Registernummer muss 11 bis 16 Buchstaben und Ziffern haben (Einstellungen)',
  'Your VAT number must be NO, the nine digits of the organization and MVA (settings)':
    'Ihre USt-IdNr. muss NO, die neun Ziffern der Organisation und MVA sein (Einstellungen)',
  'The customer’s registration number must be the eight digits of the KVK':
    'Die Registernummer des Kunden muss die acht Ziffern der KVK sein',
  'Your VAT number must be SE and twelve digits (settings)':
    'Ihre USt-IdNr. muss SE und zwölf Ziffern sein (Einstellungen)',
  'Your registration number must be ten digits, checked (settings)':
    'Ihre Registernummer muss zehn Ziffern mit richtiger Prüfziffer haben (Einstellungen)',
  'In Sweden the VAT rate is 25, 12 or 6 %': 'In Schweden ist der Steuersatz 25, 12 oder 6 %',
  'Greek e-invoices need a number of the tax office (MARK), which Docket cannot get':
    'Griechische E-Rechnungen brauchen eine Nummer des Finanzamts (MARK), die Docket nicht bekommen kann',
  'E-invoices cannot show this much VAT at a rate below 0.5 %':
    'E-Rechnungen können bei einem Satz unter 0,5 % nicht so viel MwSt. ausweisen',
  'E-invoices cannot show {} % VAT that is included in this amount of {}: enter prices without VAT':
    'E-Rechnungen können {} % MwSt., die in diesem Betrag in {} enthalten sind, nicht ausweisen: Geben Sie Preise ohne MwSt. ein',
  'An e-invoice inside the PDF cannot name South Sudan: choose another format in the settings':
    'Eine E-Rechnung im PDF kann den Südsudan nicht nennen: Wählen Sie in den Einstellungen ein anderes Format',
  'E-invoices cannot be made in {}: it is not in the official list':
    'In {} gibt es keine E-Rechnungen: Die Währung steht nicht in der amtlichen Liste',
  // Quotes.
  'Enter who said so': 'Geben Sie ein, wer das gesagt hat',
  'The day until which it is good has passed already': 'Der Tag, bis zu dem es gilt, ist schon vorbei',
  'This quote became {}.': 'Aus diesem Angebot wurde {}.',
  'a draft already ({})': 'schon ein Entwurf ({})',
  'the invoice {} already': 'schon die Rechnung {}',
  'This quote was answered already.': 'Dieses Angebot wurde schon beantwortet.',
  'This quote has expired. Ask its sender for a new one.':
    'Dieses Angebot ist abgelaufen. Bitten Sie den Absender um ein neues.',
  'This quote was changed meanwhile. Load the page again to see what it says now.':
    'Dieses Angebot wurde inzwischen geändert. Laden Sie die Seite neu, um zu sehen, was jetzt darin steht.',
  // Reminders.
  'Enter whole days such as 7': 'Geben Sie ganze Tage ein, etwa 7',
  'Add at least one reminder, or turn reminders off':
    'Fügen Sie mindestens eine Erinnerung hinzu, oder schalten Sie Erinnerungen aus',
  'Another reminder has this day already': 'Eine andere Erinnerung hat diesen Tag schon',
  'At most {} days before': 'Höchstens {} Tage davor',
  'At most {} days after': 'Höchstens {} Tage danach',
  '{} stands for nothing. You can use {}': '{} steht für nichts. Möglich sind {}',
  'This id stands twice': 'Diese Kennung steht zweimal da',
  // Exports and imports.
  'An export is being made already.': 'Ein Export wird schon gemacht.',
  'This export is not ready yet.': 'Dieser Export ist noch nicht fertig.',
  'No rows': 'Keine Zeilen',
  'At most {} rows': 'Höchstens {} Zeilen',
  'Has no line': 'Hat keine Zeile',
  'Several customers here are like this one: name it by its ID':
    'Mehrere Kunden hier sind wie dieser: Nennen Sie ihn mit seiner ID',
  'Several items here are like this one: name it by its ID':
    'Mehrere Artikel hier sind wie dieser: Nennen Sie ihn mit seiner ID',
  'Enter the number that the invoice had': 'Geben Sie die Nummer ein, die die Rechnung hatte',
  'Was imported before, and its draft deleted since': 'Wurde schon einmal importiert, und der Entwurf seither gelöscht',
  'Only invoices are imported: a credit note is made from its invoice':
    'Importiert werden nur Rechnungen: Eine Rechnungskorrektur entsteht aus ihrer Rechnung',
  'An invoice with this number is here, in another currency':
    'Eine Rechnung mit dieser Nummer ist schon hier, in einer anderen Währung',
  'An invoice with this number is here, for another customer':
    'Eine Rechnung mit dieser Nummer ist schon hier, für einen anderen Kunden',
  'An invoice with this number is here, with another total':
    'Eine Rechnung mit dieser Nummer ist schon hier, mit einem anderen Gesamtbetrag',
  'Name the customer': 'Nennen Sie den Kunden',
  'No customer here is called {}: import the customers first':
    'Kein Kunde hier heißt {}: Importieren Sie zuerst die Kunden',
  // Logos.
  'This is no picture': 'Das ist kein Bild',
  'This is no PNG or JPEG picture': 'Das ist kein Bild als PNG oder JPEG',
  'This picture is damaged: save it once more, or as a JPEG':
    'Dieses Bild ist beschädigt: Speichern Sie es noch einmal oder als JPEG',
  'This picture is too large: at most 200 kB': 'Dieses Bild ist zu groß: höchstens 200 kB',
  'This picture is too large: at most {} pixels wide and high':
    'Dieses Bild ist zu groß: höchstens {} Pixel breit und hoch',
  'Credit notes need numbers that invoices do not have':
    'Rechnungskorrekturen brauchen Nummern, die Rechnungen nicht haben',
}
