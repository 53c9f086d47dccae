import { createTopic, useTopic } from './topic.ts'

export type Theme = 'dark' | 'light'

const key = 'docket.theme'
const choices = createTopic()

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
  choices.tell()
}

export function useTheme(): Theme {
  return useTopic(choices, currentTheme, 'dark')
}
