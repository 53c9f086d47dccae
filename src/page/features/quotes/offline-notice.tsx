import { useReachable } from '#page/connection.ts'
import { text } from '#page/app-text.ts'
import { Notice } from '#page/ui/screen.tsx'

/** Said before anybody waits for it: nothing of a quote is kept on the device (decision 029). */
export function OfflineNotice() {
  return useReachable() ? null : <Notice tone="warn">{text.quotes.offline}</Notice>
}
