// A device that has no room left: what is done all the same, and how it is known.

export function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError'
}

/**
 * Such a device gives away what it holds all the same. What it cannot note it finds anew: the try is made again under its key, and the pull brings
 * the row, which keeps its sign until there is room for it.
 */
export async function unlessFull<T>(work: Promise<T>, otherwise: () => T | Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isFull(error)) throw error
    return otherwise()
  }
}
