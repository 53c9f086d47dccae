// Choices of selects, made once, when first asked for.
import { languageNames } from '#shared/language.ts'
import { countryCodes } from '#shared/country.ts'
import { currencyCodes } from '#shared/currency.ts'
import { currencyName, regionName } from './format.ts'
import { readerLocales } from './language.ts'
import type { Choice } from '#page/ui/field.tsx'

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

const byLabel = (a: Choice, b: Choice) => a.label.localeCompare(b.label)

export const countryChoices = once<Choice[]>(() =>
  countryCodes.map((value) => ({ value, label: regionName(value) })).toSorted(byLabel),
)
export const currencyChoices = once<Choice[]>(() =>
  currencyCodes.map((value) => ({ value, label: currencyName(value) })),
)
export const timeZoneChoices = once<Choice[]>(() =>
  ['Etc/UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  })),
)
/** What documents can be written in. */
export const documentLanguageChoices: readonly Choice[] = Object.entries(languageNames).map(([value, label]) => ({
  value,
  label,
}))
/** Languages in which amounts and dates are commonly written; any other is kept when it is set already. */
export const localeChoices = once<Choice[]>(() => {
  const names = new Intl.DisplayNames(readerLocales(), { type: 'language' })
  const tags =
    'en-GB en-US en-IE de-DE de-AT de-CH fr-FR fr-BE fr-CH nl-NL nl-BE it-IT es-ES pt-PT da-DK sv-SE nb-NO fi-FI pl-PL cs-CZ ja-JP'
  return tags.split(' ').map((value) => ({ value, label: names.of(value) ?? value }))
})

/** What this device suggests for a new organization; never more than a suggestion. */
export function deviceSuggestions(): { locale: string; timeZone: string; country: string } {
  // Without what a device may add of calendars and digits.
  const locale = new Intl.Locale(navigator.language).baseName
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return {
    locale,
    timeZone: timeZone === 'UTC' ? 'Etc/UTC' : timeZone,
    country: new Intl.Locale(locale).maximize().region ?? '',
  }
}
