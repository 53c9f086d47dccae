// When to offer that Docket is installed, and in which way (OFFLINE.md "Shell and updates"); and that its storage is asked to be kept.
import { createTopic, useTopic } from '#page/topic.ts'

/** Of this device, nobody's in particular: it outlives a sign-out. */
const recordKey = 'docket.install'
/** Whoever comes back later than this begins another session. */
const pauseMs = 30 * 60_000

interface InstallRecord {
  sessions: number
  /** Milliseconds since 1970: when Docket was last in use here. */
  seenAt: number
  hasSavedOffline: boolean
  /** The person has said no, or yes. */
  isDecided: boolean
}

/** Chromium's event; no other browser has it. */
interface InstallPrompt extends Event {
  prompt(): Promise<void>
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>
}

/** `prompt`: the browser asks. `share`: the person does it by the Share sheet, as on an iPhone. */
export type InstallWay = 'prompt' | 'share'

let record = readRecord()
let prompt: InstallPrompt | null = null
let isFollowed = false
const changes = createTopic()

/** Early: the browser says once, and maybe before the first screen is there, that Docket can be installed. */
export function followInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    prompt = event as InstallPrompt
    changes.tell()
  })
  window.addEventListener('appinstalled', () => {
    change({ isDecided: true })
    // A browser that said no before may say yes to what is installed.
    askToPersist()
  })
}

/** Somebody signed in is at work here: from when the screen is there, and whenever they come back to it. */
export function noteSession(): void {
  if (isFollowed) return
  isFollowed = true
  const note = () => {
    const { sessions, seenAt } = readRecord()
    const isAnother = document.visibilityState === 'visible' && Math.abs(Date.now() - seenAt) > pauseMs
    change({ sessions: sessions + (isAnother ? 1 : 0), seenAt: Date.now() })
  }
  note()
  document.addEventListener('visibilitychange', note)
}

/** A write is on this device and not yet at the server: from the first one on the browser is asked not to clear what is kept. */
export function noteOfflineSave(): void {
  if (record.hasSavedOffline) return
  change({ hasSavedOffline: true })
  askToPersist()
}

/** In which way to offer it now; null while it is not offered. */
export function useInstallOffer(): InstallWay | null {
  return useTopic(changes, offer, null)
}

/** Lets the browser ask; its answer is the person's. */
export async function install(): Promise<void> {
  const asked = prompt
  prompt = null
  await asked?.prompt()
  await asked?.userChoice
  declineInstall()
}

/** Not offered again. */
export function declineInstall(): void {
  change({ isDecided: true })
}

function offer(): InstallWay | null {
  const isTime = record.sessions > 1 || record.hasSavedOffline
  if (record.isDecided || !isTime || isInstalled()) return null
  return prompt ? 'prompt' : canShare() ? 'share' : null
}

function isInstalled(): boolean {
  return matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true
}

/** Safari of an iPhone or iPad, which calls itself a Mac with a touch screen; a browser inside another app cannot do it and has no such name. */
function canShare(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  const isApple = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  return isApple && /Safari\//.test(userAgent)
}

function askToPersist(): void {
  void navigator.storage?.persist?.().catch(() => {})
}

function change(next: Partial<InstallRecord>): void {
  // Another tab may have written since.
  record = { ...readRecord(), ...next }
  try {
    localStorage.setItem(recordKey, JSON.stringify(record))
  } catch {
    // A full device: offered in this session or not at all.
  }
  changes.tell()
}

function readRecord(): InstallRecord {
  const none: InstallRecord = { sessions: 0, seenAt: 0, hasSavedOffline: false, isDecided: false }
  try {
    return { ...none, ...(JSON.parse(localStorage.getItem(recordKey) ?? '{}') as Partial<InstallRecord>) }
  } catch {
    return none
  }
}
