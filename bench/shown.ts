/** What {@link noteWhenShown} leaves in the page: milliseconds from the navigation to the frame that shows it. */
export interface Shown {
  shownMs?: number
}

/**
 * Runs in a page before anything else of it, and notes when what is looked for there (by path and query) is on the screen. The runner's own script takes a page
 * some 10 to 50 ms to read: it is kept out until then.
 */
export function noteWhenShown(lookedFor: Readonly<Record<string, string>>): void {
  const what = lookedFor[location.pathname + location.search]
  if (what === undefined) return
  const look = () => {
    if (!document.querySelector(what)) return void requestAnimationFrame(look)
    // After the frame that shows it.
    requestAnimationFrame(() => setTimeout(() => ((window as Shown).shownMs = performance.now())))
  }
  look()
}
