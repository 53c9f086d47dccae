// Calendar dates as `YYYY-MM-DD` text: they have no zone and never pass through a JS Date's local time.

/** Making one takes far longer than using it; there are some 600 zones. */
const dayFormats = new Map<string, Intl.DateTimeFormat>()

/** Today's date in an IANA time zone, at the instant `nowMs`. */
export function todayIn(timeZone: string, nowMs: number): string {
  let format = dayFormats.get(timeZone)
  // The Swedish locale prints ISO dates.
  if (!format) dayFormats.set(timeZone, (format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })))
  return format.format(nowMs)
}

export function addDays(date: string, days: number): string {
  const utc = new Date(`${date}T00:00:00Z`)
  utc.setUTCDate(utc.getUTCDate() + days)
  return utc.toISOString().slice(0, 10)
}

/** The `count` months that end with the month of `date`, oldest first. */
export function lastMonths(date: string, count: number): string[] {
  const [year = 0, month = 1] = date.split('-').map(Number)
  return Array.from({ length: count }, (_, index) => {
    const first = new Date(Date.UTC(year, month - 1 - (count - 1 - index), 1))
    return first.toISOString().slice(0, 7)
  })
}

/** Of three letters those that IANA names: what else Intl takes (`AET`, `CST`) a database does not know, or takes for somewhere else. */
const shortZones = new Set('UTC UCT GMT CET EET MET WET EST MST HST PRC ROC ROK'.split(' '))

export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return !/^[+-]/.test(name) && (name.length > 3 || shortZones.has(name.toUpperCase()))
  } catch {
    return false
  }
}

/** An instant as the API writes it, `2026-11-21T07:09:04.123Z`, that really exists. */
export function isInstant(text: string): boolean {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && /^[1-9]/.test(text) && new Date(ms).toISOString() === text
}

/** The same day so many months later; the last day of a month that has no such day (31 January, one month on: 28 or 29 February). */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10)
}

/** The instant at which a date begins in an IANA time zone, in milliseconds since 1970; where the clocks skip midnight, the first one that is that date. */
export function startOfDay(date: string, timeZone: string): number {
  const hourMs = 3_600_000
  // No zone is further from UTC than 14 hours; offsets are of quarters of an hour.
  let atMs = Date.parse(`${date}T00:00:00Z`) - 14 * hourMs
  while (todayIn(timeZone, atMs) < date) atMs += hourMs / 4
  return atMs
}

/** The instant at which clocks in a zone first show this whole hour (0 to 23), or a later one, on a date; in milliseconds since 1970. */
export function startOfHour(date: string, hour: number, timeZone: string): number {
  const quarterMs = 900_000
  let atMs = startOfDay(date, timeZone)
  while (hourIn(timeZone, atMs) < hour && todayIn(timeZone, atMs + quarterMs) === date) atMs += quarterMs
  return atMs
}

/** The hour that clocks in a zone show, 0 to 23. */
export function hourIn(timeZone: string, atMs: number): number {
  return Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(atMs))
}
