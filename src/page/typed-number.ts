// Numbers as people type them: text while it is typed, read in the marks of the organization's language, never rewritten under the fingers.

interface Marks {
  decimal: string
  group: string
}

const known = new Map<string, Marks>()

/**
 * What was typed in the wire form: `1.234,50` and `1234.5` alike. One mark with three digits after it parts thousands where the language
 * parts them so: `1,200` is twelve hundred in English and 1.2 in German. What is no number stays as it is, for the contract to name.
 */
export function readTyped(typed: string, locale: string): string {
  const bare = typed.trim().replace(/[\s\u00a0\u202f'’]/g, '')
  const marks = bare.match(/[.,]/g) ?? []
  if (marks.length === 0) return bare
  const isGrouped =
    marks.length > 1
      ? new Set(marks).size === 1
      : marks[0] === marksOf(locale).group && /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(bare)
  if (isGrouped) return bare.replace(/[.,]/g, '')
  const decimalMark = Math.max(bare.lastIndexOf(','), bare.lastIndexOf('.'))
  const whole = bare.slice(0, decimalMark).replace(/[.,]/g, '')
  return `${whole || '0'}.${bare.slice(decimalMark + 1)}`
}

/** A number of the wire as this language types it, so that reading it again gives the same. */
export function asTyped(wire: string, locale: string): string {
  const { decimal, group } = marksOf(locale)
  return group === '.' || decimal === ',' ? wire.replace('.', ',') : wire
}

function marksOf(locale: string): Marks {
  let marks = known.get(locale)
  if (!marks) {
    const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1234567.8)
    const mark = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
    known.set(locale, (marks = { decimal: mark('decimal'), group: mark('group') }))
  }
  return marks
}
