import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'

const restMs = 200

/** Asks once the person has paused typing. */
export function SearchField({
  label,
  value,
  onSearch,
}: {
  label: string
  value: string
  onSearch: (typed: string) => void
}) {
  const [typed, setTyped] = useState(value)
  const [asked, setAsked] = useState(value)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // Not what was asked for here: a saved view, or the way back. It takes the place of what is typed.
    if (value !== asked) {
      setAsked(value)
      setTyped(value)
    }
  }
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => {
      setAsked(typed)
      onSearch(typed)
    }, restMs)
    return () => clearTimeout(timer)
  }, [typed, value, onSearch])
  return (
    <div className="relative grow">
      <Search className="pointer-events-none absolute top-1/2 left-3 size-5 -translate-y-1/2 text-muted" aria-hidden />
      <input
        type="search"
        className="control pl-10"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </div>
  )
}
