// A device that has no room left: what is done all the same, and how it is known.

export function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError'
}

/** What such a device does in place of what it has no room to note. */
export async function unlessFull<T>(work: Promise<T>, otherwise: () => T | Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isFull(error)) throw error
    return otherwise()
  }
}
