// Chooses one of many by typing: the list is what the search found.
import { Combobox } from '@base-ui/react/combobox'
import { use, useId, useRef } from 'react'
import { FieldErrorsContext } from './field.tsx'

export interface Pick {
  id: string
  label: string
  detail?: string
}

interface Props {
  label: string
  name: string
  value: Pick | null
  onValue: (value: Pick | null) => void
  found: readonly Pick[]
  onSearch: (typed: string) => void
  /** Said when nothing was found. */
  emptyText: string
  placeholder?: string
  /** Said when this was typed and nothing picked. */
  unpickedText: (typed: string) => string
  /** Stands below what was found, for whoever looks for what is not there yet. */
  making?: { label: string; onPress: () => void } | undefined
}

/** No row's id. */
const makingId = ''

export function Picker({
  label,
  name,
  value,
  onValue,
  found,
  onSearch,
  emptyText,
  placeholder,
  unpickedText,
  making,
}: Props) {
  const id = useId()
  const errors = use(FieldErrorsContext)
  const pointer = `/${name}`
  const error = errors.at(pointer)
  const typed = useRef('')
  const offered = making ? [...found, { id: makingId, label: making.label }] : found

  /** A name typed in full is as good as picked; anything else is not dropped in silence. */
  function settle(): void {
    // As typed: the library has emptied the input by now if the list was open.
    const text = typed.current.trim()
    const wanted = text.toLowerCase()
    typed.current = ''
    const exact = found.filter((each) => each.label.trim().toLowerCase() === wanted)
    if (exact.length === 1) pick(exact[0]!)
    else if (value !== null || wanted === '') errors.hold(pointer, null)
    else errors.hold(pointer, unpickedText(text))
  }

  function pick(next: Pick | null): void {
    // The library also says "none" when it empties what was typed: leaving the field decides what becomes of that.
    if (next !== null) {
      typed.current = ''
      errors.hold(pointer, null)
    }
    if (next?.id === makingId) making?.onPress()
    else onValue(next)
  }
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="text-sm font-medium text-muted">
        {label}
      </label>
      <Combobox.Root
        items={offered}
        value={value}
        onValueChange={pick}
        onInputValueChange={onSearch}
        itemToStringLabel={(item: Pick) => item.label}
        isItemEqualToValue={(item: Pick, other: Pick) => item.id === other.id}
        filter={null}
      >
        <Combobox.Input
          id={id}
          data-field={name}
          className="control"
          autoComplete="off"
          onInput={(event) => {
            typed.current = event.currentTarget.value
          }}
          onBlur={settle}
          placeholder={placeholder}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        <Combobox.Portal>
          <Combobox.Positioner className="z-50 w-(--anchor-width)" sideOffset={4}>
            <Combobox.Popup className="max-h-80 overflow-auto rounded-xl border border-line bg-surface p-1 shadow-lg">
              <Combobox.Status className="px-3 py-2 text-muted empty:hidden">
                {found.length === 0 && emptyText}
              </Combobox.Status>
              <Combobox.List>
                {(item: Pick) => (
                  <Combobox.Item
                    key={item.id}
                    value={item}
                    className="grid min-h-11 cursor-pointer content-center rounded-lg px-3 py-1 data-highlighted:bg-raised"
                  >
                    <span>{item.label}</span>
                    {item.detail && <span className="text-sm text-muted">{item.detail}</span>}
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
      {error && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
