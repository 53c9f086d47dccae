import type { NoticeAction } from './toaster.tsx'

/** Toasts of the seed's five types; one that offers something stays 10 s. sonner is loaded with the first one: the first route does not pay for it. */
export function notify(
  type: 'success' | 'info' | 'warning' | 'error' | 'loading',
  message: string,
  action?: NoticeAction,
): void {
  void import('./toaster.tsx').then(({ show }) => show(type, message, action))
}

/** What was said to one person is not for the next. */
export function clearNotices(): void {
  void import('./toaster.tsx').then(
    ({ clear }) => clear(),
    () => {},
  )
}
