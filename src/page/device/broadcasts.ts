import { broadcastChannelName, isBroadcast, type Broadcast } from '#shared/worker-messages.ts'

/** What the worker, or the gateway in a page, tells every tab; the same may come twice. `teller`: the worker, where it told this page by itself. */
export function hearBroadcasts(hear: (broadcast: Broadcast, teller: MessageEventSource | null) => void): void {
  const listen = ({ data, source }: MessageEvent<unknown>) => {
    if (isBroadcast(data)) hear(data, source)
  }
  new BroadcastChannel(broadcastChannelName).addEventListener('message', listen)
  if ('serviceWorker' in navigator) navigator.serviceWorker.addEventListener('message', listen)
}
