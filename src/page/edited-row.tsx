// What a form edits: the newest, until the person is at it. What arrives from then on waits until they ask for it.
import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, useState, type ReactNode } from 'react'
import { flushOpenForms } from '#page/forms/typed.ts'
import { isNotFound, NotThere } from './loaded.tsx'

interface Props<Row> {
  /** As it is known now: as it was seen last, then as the device has it, then as somebody changed it. */
  newest: Row
  /** Asked once more where the person wants to see it. */
  query: Pick<UseQueryResult<Row>, 'error' | 'refetch'>
  /** Drawn anew for another row: what was kept of a form is brought together with it (forms/kept.ts). */
  children: (opened: Row, reload: () => void) => ReactNode
}

export function EditedRow<Row>({ newest, query, children }: Props<Row>) {
  // The data cache hands on the same object for as long as nothing in it has changed.
  const [{ row, turn }, setOpened] = useState({ row: newest, turn: 0 })
  const [isAtIt, setAtIt] = useState(false)
  const open = (next: Row) => setOpened({ row: next, turn: turn + 1 })
  if (!isAtIt && row !== newest) open(newest)
  const begin = () => setAtIt(true)
  const reload = () =>
    void query.refetch().then(({ data, isSuccess }) => {
      if (!isSuccess) return
      flushOpenForms()
      open(data)
    })
  // What somebody is typing is decided about when it is saved.
  if (!isAtIt && isNotFound(query.error)) return <NotThere />
  return (
    // Pressed as well: a browser may leave what is pressed without the focus.
    <div className="contents" onFocusCapture={begin} onPointerDownCapture={begin}>
      <Fragment key={turn}>{children(row, reload)}</Fragment>
    </div>
  )
}
