/** What of a list is shown, or in which order; beside its search, and two of them share a row on a phone. */
export function FilterSelect({
  label,
  value,
  choices,
  onChoose,
}: {
  label: string
  value: string
  choices: readonly (readonly [value: string, name: string])[]
  onChoose: (value: string) => void
}) {
  return (
    <select
      className="control w-auto min-w-0 grow basis-36 sm:grow-0 sm:basis-auto"
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {choices.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  )
}
