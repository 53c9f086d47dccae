/** A browser reads the file after the press: its address must live a little longer. */
const fileLivesMs = 60_000

/** Gives the person a file to keep: a Blob as it is, anything else as JSON. */
export function offerFile(name: string, data: unknown): void {
  const link = document.createElement('a')
  const file = data instanceof Blob ? data : new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), fileLivesMs)
}
