/** What had the focus is gone: whoever goes on by keyboard, or listens, does so here, and not at the top of the page. */
export function goOnAt(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true })
}
