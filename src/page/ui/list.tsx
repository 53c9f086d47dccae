// A long list: only the rows in sight are in the document, arrows move between them, more is asked for near the end.
import { measureElement, useWindowVirtualizer, windowScroll } from '@tanstack/react-virtual'
import {
  memo,
  startTransition,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react'

/** Rows stand in one frame, a line between them; cards apart, each in its own. `height` and `gap` in CSS pixels, the height until the browser has laid it out. */
const looks = {
  rows: { list: 'overflow-hidden rounded-xl border border-line bg-surface', line: 'border-b', height: 73, gap: 0 },
  cards: { list: '', line: '', height: 210, gap: 12 },
} as const

export interface ListHandle {
  /** Brings the row of this key into sight, if there is one. */
  show(key: string): void
}

interface Props<Row> {
  ref?: Ref<ListHandle>
  label: string
  look?: keyof typeof looks
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Draws one row; the link or button in it fills it. */
  children: (row: Row) => ReactNode
  /** Called when the end comes near; undefined when there is no more. */
  onEnd?: (() => void) | undefined
}

/** In CSS pixels, until the browser has laid it out: asked while it draws, it would lay out the whole page in the middle of that. */
const expectedTop = 300
const aheadRows = 10

export function VirtualList<Row>({ ref, label, look = 'rows', rows, keyOf, children, onEnd }: Props<Row>) {
  const { height, gap, ...classes } = looks[look]
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(expectedTop)
  // What is out of sight waits until what is in sight can be seen.
  const [overscan, setOverscan] = useState(0)
  useEffect(() => {
    startTransition(() => setOverscan(aheadRows))
    // What stands above it comes and goes while it is read.
    const follow = new ResizeObserver(() => setTop(list.current?.offsetTop ?? expectedTop))
    follow.observe(document.body)
    return () => follow.disconnect()
  }, [])
  // A new one has the virtualizer reckon the places of all rows anew, the ten thousandth too, and that in each frame of a scroll.
  const getItemKey = useCallback((index: number) => keyOf(rows[index]!), [rows, keyOf])
  // Without the React Compiler (STACK.md) nothing memoizes what this returns.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    gap,
    measureElement: (row, laidOut, of) =>
      laidOut
        ? measureElement(row, laidOut, of)
        : (of.itemSizeCache.get(keyOf(rows[of.indexFromElement(row)]!)) ?? height),
    // At its beginning it scrolls to where it stands, which asks for the layout as well.
    scrollToFn: (offset, how, of) => {
      if (offset + (how.adjustments ?? 0) !== of.scrollOffset) windowScroll(offset, how, of)
    },
    overscan,
    scrollMargin: top,
    // Else nothing is drawn before the list has been laid out once, empty.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    getItemKey,
    // A row whose height is another than was expected moves those below it at once, before they are painted, and React does not draw for that.
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
  })
  const { containerRef } = virtualizer
  useImperativeHandle(ref, () => ({
    show(key) {
      const index = rows.findIndex((row) => keyOf(row) === key)
      if (index !== -1) virtualizer.scrollToIndex(index, { align: 'center' })
    },
  }))
  const takeList = useCallback(
    (element: HTMLUListElement | null) => {
      list.current = element
      // Gives it the height of all rows.
      containerRef(element)
    },
    [containerRef],
  )
  const shown = virtualizer.getVirtualItems()
  const lastShown = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (onEnd && lastShown >= rows.length - aheadRows) onEnd()
  }, [lastShown, rows.length, onEnd])

  function move(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const item = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')
    if (step === 0 || !item) return
    const next = Number(item.dataset['index']) + step
    if (next < 0 || next >= rows.length) return
    event.preventDefault()
    virtualizer.scrollToIndex(next)
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-index="${next}"] :is(a, button)`)?.focus(),
    )
  }

  return (
    <ul ref={takeList} aria-label={label} className={`relative box-content ${classes.list}`} onKeyDown={move}>
      {shown.map(({ key, index }) => (
        <Item
          key={key}
          ref={virtualizer.measureElement}
          index={index}
          count={rows.length}
          line={classes.line}
          row={rows[index]!}
          draw={children}
        />
      ))}
    </ul>
  )
}

interface ItemProps<Row> {
  /** Measures it, and places it. */
  ref: Ref<HTMLLIElement>
  index: number
  count: number
  /** Below each but the last. */
  line: string
  row: Row
  draw: (row: Row) => ReactNode
}

/** Scrolling draws the list in each frame: of its rows, those alone that come into sight. */
const Item = memo(function Item<Row>({ ref, index, count, line, row, draw }: ItemProps<Row>) {
  return (
    <li
      ref={ref}
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      // Of the whole list: the last in the document changes with each scroll, and would be another height as long as it is that.
      className={`absolute inset-x-0 border-line contain-content ${index + 1 === count ? '' : line}`}
    >
      {draw(row)}
    </li>
  )
}) as <Row>(props: ItemProps<Row>) => ReactNode

/** A row of invoices or quotes, whose columns stand below each other on the dashboard: of the link around the cells, but for the room at its end. */
export const documentRow =
  'grid min-h-18 grid-cols-[minmax(0,1fr)] content-center items-center gap-y-1 py-2 pl-4 text-ink no-underline hover:bg-raised focus-visible:-outline-offset-2 md:gap-x-3 md:gap-y-0 md:grid-cols-[minmax(0,1fr)_8rem_minmax(8.5rem,max-content)_minmax(9.5rem,max-content)] xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_8rem_minmax(10rem,max-content)_minmax(10.5rem,max-content)]'

interface Cells {
  customer: string
  amount: ReactNode
  number: ReactNode
  /** On a phone they stand with the number; null where there is none. */
  dates: ReactNode
  status: ReactNode
}

/**
 * Two lines on a phone, each of two parts, whose second goes below the first where both have no room. On a desk columns, those of what is not to be broken as
 * wide as that is; the number has one of its own on a wide one, and stands below the customer else.
 */
export function DocumentCells({ customer, amount, number, dates, status }: Cells) {
  return (
    <>
      <span className="flex flex-wrap gap-x-3 md:contents">
        <span
          dir="auto"
          className="line-clamp-2 grow basis-24 self-start text-left font-medium wrap-anywhere md:self-end md:[grid-area:1/1] xl:self-center"
        >
          {customer}
        </span>
        <span className="amount ml-auto text-right font-semibold md:[grid-area:1/4/3] xl:[grid-area:1/5]">
          {amount}
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 md:contents">
        <span className="max-w-full grow basis-30 text-sm text-muted wrap-break-word md:self-start md:[grid-area:2/1] xl:self-center xl:text-base xl:[grid-area:1/2]">
          {number}
          {dates && <span className="block whitespace-nowrap md:hidden">{dates}</span>}
        </span>
        <span className="hidden text-sm text-muted md:block md:[grid-area:1/2/3] xl:[grid-area:1/3]">
          {dates ?? '–'}
        </span>
        <span className="ml-auto md:ml-0 md:[grid-area:1/3/3] xl:[grid-area:1/4]">{status}</span>
      </span>
    </>
  )
}
