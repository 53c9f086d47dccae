/** Label and value, two columns where there is room; what has no value is left out. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: string | null])[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt className="text-sm text-muted">{label}</dt>
              <dd dir="auto" className="text-left wrap-anywhere whitespace-pre-line [unicode-bidi:plaintext]">
                {value}
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}
