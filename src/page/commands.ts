// What the screen in view can do, for the palette to offer.
import { useEffect } from 'react'

export interface ScreenCommand {
  id: string
  label: string
  run: () => void
}

const offered = new Set<readonly ScreenCommand[]>()

export function useCommands(commands: readonly ScreenCommand[]): void {
  useEffect(() => {
    offered.add(commands)
    return () => void offered.delete(commands)
  })
}

export function screenCommands(): ScreenCommand[] {
  return [...offered].flat()
}
