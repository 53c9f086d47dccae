/** The mark: a docket with a torn edge, and the word. */
export function Logo({ className = 'inline-flex' }: { className?: string }) {
  return (
    <span className={`items-center gap-2 text-lg font-semibold ${className}`}>
      <svg viewBox="0 0 32 32" className="size-7" aria-hidden>
        <path className="fill-accent" d="M6 3h20v26l-3.3-2.4L19.3 29 16 26.6 12.7 29l-3.4-2.4L6 29z" />
        <path className="fill-canvas" d="M10.5 9h11v2.4h-11zM10.5 14h11v2.4h-11zM10.5 19h6v2.4h-6z" />
      </svg>
      Docket
    </span>
  )
}
