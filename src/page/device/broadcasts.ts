import { broadcastChannelName, isBroadcast, type Broadcast } from '#shared/worker-messages.ts'

/** What the worker, or the gateway in a page, tells every tab; the same may come twice. */
export function hearBroadcasts(hear: (broadcast: Broadcast) => void): void {
  const listen = ({ data }: MessageEvent<unknown>) => {
    if (isBroadcast(data)) hear(data)
  }
  new BroadcastChannel(broadcastChannelName).addEventListener('message', listen)
  if ('serviceWorker' in navigator) navigator.serviceWorker.addEventListener('message', listen)
}
