// A long list: only the rows in sight are in the document, arrows move between them, more is asked for near the end.
import { measureElement, useWindowVirtualizer, windowScroll } from '@tanstack/react-virtual'
import {
  memo,
  startTransition,
  useCallback,
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react'

interface Props<Row> {
  label: string
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Draws one row; the link or button in it fills it. */
  children: (row: Row) => ReactNode
  /** Called when the end comes near; undefined when there is no more. */
  onEnd?: (() => void) | undefined
}

/** In CSS pixels, until the browser has laid them out: asked while it draws, it would lay out the whole page in the middle of that. */
const [expectedTop, expectedRowHeight] = [300, 73]
const aheadRows = 10

export function VirtualList<Row>({ label, rows, keyOf, children, onEnd }: Props<Row>) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(expectedTop)
  // What is out of sight waits until what is in sight can be seen.
  const [overscan, setOverscan] = useState(0)
  useEffect(() => {
    setTop(list.current?.offsetTop ?? expectedTop)
    startTransition(() => setOverscan(aheadRows))
  }, [])
  // A new one has the virtualizer reckon the places of all rows anew, the ten thousandth too, and that in each frame of a scroll.
  const getItemKey = useCallback((index: number) => keyOf(rows[index]!), [rows, keyOf])
  // Without the React Compiler (STACK.md) nothing memoizes what this returns.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => expectedRowHeight,
    measureElement: (row, laidOut, of) =>
      laidOut
        ? measureElement(row, laidOut, of)
        : (of.itemSizeCache.get(keyOf(rows[of.indexFromElement(row)]!)) ?? expectedRowHeight),
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
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus())
  }

  return (
    <ul
      ref={takeList}
      aria-label={label}
      className="relative box-content overflow-hidden rounded-xl border border-line bg-surface"
      onKeyDown={move}
    >
      {shown.map(({ key, index }) => (
        <Item
          key={key}
          ref={virtualizer.measureElement}
          index={index}
          count={rows.length}
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
  row: Row
  draw: (row: Row) => ReactNode
}

/** Scrolling draws the list in each frame: of its rows, those alone that come into sight. */
const Item = memo(function Item<Row>({ ref, index, count, row, draw }: ItemProps<Row>) {
  return (
    <li
      ref={ref}
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      // Of the whole list: the last in the document changes with each scroll, and would be another height as long as it is that.
      className={`absolute inset-x-0 border-line contain-content ${index + 1 === count ? '' : 'border-b'}`}
    >
      {draw(row)}
    </li>
  )
}) as <Row>(props: ItemProps<Row>) => ReactNode
