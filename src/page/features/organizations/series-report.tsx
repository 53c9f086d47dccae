// Whether the numbers of each series run from 1 without a gap and without a double.
import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { SeriesReport } from '#shared/contract/series.ts'
import { formatCount, formatMonth } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { Section } from '#page/ui/screen.tsx'

const t = text.numbers
const size = 'mt-0.5 size-5 shrink-0'
type Period = SeriesReport['periods'][number]

export function Series({ series, locale }: { series: SeriesReport; locale: string }) {
  return (
    <Section title={t.kinds[series.kind] ?? series.kind}>
      <p className="text-muted">
        {series.periods.length === 0 ? `${t.none} ${t.next(series.next)}` : t.next(series.next)}
      </p>
      {series.periods.map((period) => (
        <article key={period.period} className="grid gap-2 border-t border-line pt-3">
          <h3 className="font-medium">{nameOf(period.period, locale)}</h3>
          <p className="text-sm text-muted">{t.given(formatCount(period.issued), period.first, period.last)}</p>
          <Findings period={period} />
        </article>
      ))}
    </Section>
  )
}

function Findings({ period: { issued, missing, doubled } }: { period: Period }) {
  const isWhole = doubled.length === 0 && missing.every(({ isPassedOver }) => isPassedOver)
  const count = missing.reduce((total, { from, to }) => total + to - from + 1, issued)
  return (
    <ul className="grid gap-1">
      {isWhole && (
        <li className="flex gap-2 text-good">
          <CircleCheck className={size} aria-hidden />
          {t.run(formatCount(count))}
        </li>
      )}
      {missing.map(({ from, to, isPassedOver }) => (
        <li key={from} className={`flex gap-2 ${isPassedOver ? 'text-muted' : 'text-danger'}`}>
          {isPassedOver ? <Info className={size} aria-hidden /> : <CircleAlert className={size} aria-hidden />}
          {(isPassedOver ? t.passedOver : t.gap)(String(from), String(to))}
        </li>
      ))}
      {doubled.map((number) => (
        <li key={number} className="flex gap-2 text-danger">
          <CircleAlert className={size} aria-hidden />
          {t.doubled(number)}
        </li>
      ))}
    </ul>
  )
}

function nameOf(period: string, locale: string): string {
  if (period === '') return t.whole
  return period.length === 4 ? period : formatMonth(period, locale, 'long')
}
