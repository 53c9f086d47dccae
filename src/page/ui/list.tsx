// A long list: only the rows in sight are in the document, arrows move between them, more is asked for near the end.
import { measureElement, useWindowVirtualizer, windowScroll } from '@tanstack/react-virtual'
import { memo, startTransition, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'

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
    getItemKey: (index) => keyOf(rows[index]!),
  })
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
      ref={list}
      aria-label={label}
      className="relative overflow-hidden rounded-xl border border-line bg-surface"
      style={{ height: virtualizer.getTotalSize() + 2 }}
      onKeyDown={move}
    >
      {shown.map(({ key, index, start }) => (
        <li
          key={key}
          data-index={index}
          ref={virtualizer.measureElement}
          aria-setsize={rows.length}
          aria-posinset={index + 1}
          className="absolute inset-x-0 border-b border-line contain-content last:border-b-0"
          style={{ top: start - top }}
        >
          <Drawn row={rows[index]!} draw={children} />
        </li>
      ))}
    </ul>
  )
}

/** Scrolling draws the list in each frame: of its rows, those alone that come into sight. */
const Drawn = memo(function Drawn<Row>({ row, draw }: { row: Row; draw: (row: Row) => ReactNode }) {
  return draw(row)
}) as <Row>(props: { row: Row; draw: (row: Row) => ReactNode }) => ReactNode
