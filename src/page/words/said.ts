// What the contracts and the server say, in the page's language: they say it in English, wherever they run and whenever it was kept on the device.

/** English to another language; `{}` stands for what differs from time to time, in the same order on both sides. */
export type Sayings = Readonly<Record<string, string>>

const exact = new Map<string, string>()
let patterns: { matches: RegExp; words: string }[] = []
let numbersAs: readonly string[] = []

/** Of English nothing is to be learnt. `locales`: how the reader writes numbers. */
export function learn(sayings: Sayings, locales: readonly string[]): void {
  numbersAs = locales
  for (const [english, words] of Object.entries(sayings)) {
    if (!english.includes('{}')) exact.set(english, words)
    else patterns = [...patterns, { matches: patternOf(english), words }]
  }
}

/** What nobody translated stays as it was said. */
export function said(english: string): string {
  const known = exact.get(english)
  if (known !== undefined) return known
  for (const { matches, words } of patterns) {
    const found = matches.exec(english)
    if (!found) continue
    const parts = found.slice(1)
    // A part may be a saying of its own: the name of a VAT category, say. A number is written as its reader writes it.
    return words.replaceAll('{}', () => writtenNumber(said(parts.shift() ?? '')))
  }
  return english
}

/** With the comma, and an amount with its thousands grouped; what is no number stays. */
function writtenNumber(part: string): string {
  const [, digits, fraction = '', currency = ''] = /^(-?\d+(?:\.(\d+))?)( [A-Z]{3})?$/.exec(part) ?? []
  if (!digits) return part
  const format = new Intl.NumberFormat(numbersAs, {
    useGrouping: currency !== '',
    minimumFractionDigits: fraction.length,
  })
  return format.format(digits as `${number}`) + currency
}

function patternOf(english: string): RegExp {
  const literal = english.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literal.join('(.+?)')}$`, 's')
}
