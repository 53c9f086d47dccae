/** Toasts of the seed's five types. sonner is loaded with the first one: the first route does not pay for it. */
export function notify(type: 'success' | 'info' | 'warning' | 'error' | 'loading', message: string): void {
  void import('./toaster.tsx').then(({ show }) => show(type, message))
}

/** What was said to one person is not for the next. */
export function clearNotices(): void {
  void import('./toaster.tsx').then(
    ({ clear }) => clear(),
    () => {},
  )
}
