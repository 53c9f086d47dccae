// Text that is typed freely, with suggestions below it that fill in more than the text.
import { Autocomplete } from '@base-ui/react/autocomplete'
import { useState, type ComponentProps } from 'react'
import { TextField } from './field.tsx'

export interface Suggestion {
  id: string
  label: string
  detail: string
  /** Stands at the end, in figures. */
  end: string
}

interface Props<Each extends Suggestion> {
  label: string
  name: string
  'aria-label'?: string
  className?: string
  value: string
  onValue: (typed: string) => void
  /** Only while the list is open. */
  suggestions: readonly Each[]
  onOpen: (open: boolean) => void
  onPick: (picked: Each) => void
}

export function SuggestField<Each extends Suggestion>({
  value,
  onValue,
  suggestions,
  onOpen,
  onPick,
  ...field
}: Props<Each>) {
  const [wanted, setWanted] = useState(false)
  // A list of nothing is not open: while one is, the library takes the rest of the screen from screen readers.
  const open = wanted && suggestions.length > 0
  return (
    <Autocomplete.Root
      items={suggestions}
      value={value}
      onValueChange={onValue}
      open={open}
      onOpenChange={(next) => {
        setWanted(next)
        onOpen(next)
      }}
      openOnInputClick
      filter={null}
      itemToStringValue={(item: Each) => item.label}
    >
      <Autocomplete.Input
        onBlur={() => {
          if (open) return
          setWanted(false)
          onOpen(false)
        }}
        onKeyDown={(event) => {
          // The library would empty the field: Escape closes a list, and takes no text away.
          if (event.key === 'Escape' && !open) event.preventBaseUIHandler()
        }}
        render={({ id: _, ...input }) => (
          <TextField
            {...(input as Omit<ComponentProps<'input'>, 'name' | 'id' | 'className'>)}
            {...field}
            autoComplete="off"
          />
        )}
      />
      <Autocomplete.Portal>
        <Autocomplete.Positioner
          className="z-50 w-(--anchor-width) min-w-[min(20rem,calc(100vw-2rem))]"
          sideOffset={4}
          align="start"
        >
          <Autocomplete.Popup className="max-h-64 overflow-auto rounded-xl border border-line bg-surface p-1 shadow-lg">
            <Autocomplete.List>
              {(item: Each) => (
                <Autocomplete.Item
                  key={item.id}
                  value={item}
                  onClick={() => onPick(item)}
                  className="flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-lg px-3 py-1 data-highlighted:bg-raised"
                >
                  <span className="min-w-0">
                    <span className="block truncate">{item.label}</span>
                    {item.detail && <span className="block truncate text-sm text-muted">{item.detail}</span>}
                  </span>
                  <span className="amount shrink-0 text-sm">{item.end}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  )
}
