/** A browser reads the file after the press: its address must live a little longer. */
const fileLivesMs = 60_000

/** Gives the person a JSON file to keep. */
export function offerFile(name: string, data: unknown): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), fileLivesMs)
}
