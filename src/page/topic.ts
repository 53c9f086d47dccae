// What lives outside of React and screens follow: whoever changes it tells so, whoever shows it reads it anew.
import { useSyncExternalStore } from 'react'

export interface Topic<News> {
  tell(news: News): void
  /** Returns what ends it. */
  listen(hear: (news: News) => void): () => void
}

export function createTopic<News = void>(): Topic<News> {
  const listeners = new Set<(news: News) => void>()
  return {
    tell(news) {
      for (const hear of listeners) hear(news)
    },
    listen(hear) {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
  }
}

/** `read` answers the same value as long as nothing was told; `prerendered` is what a document of the build shows, which knows no device. */
export function useTopic<News, Value>(topic: Topic<News>, read: () => Value, prerendered: Value): Value {
  return useSyncExternalStore(topic.listen, read, () => prerendered)
}
