import { useSyncExternalStore } from 'react'

export type Theme = 'dark' | 'light'

const key = 'docket.theme'
const listeners = new Set<() => void>()

/** Dark unless the person chose light on this device. */
function currentTheme(): Theme {
  return document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark'
}

export function applyStoredTheme(): void {
  if (localStorage.getItem(key) === 'light') document.documentElement.dataset['theme'] = 'light'
}

export function setTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  localStorage.setItem(key, theme)
  for (const listener of listeners) listener()
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    currentTheme,
    () => 'dark' as const,
  )
}
