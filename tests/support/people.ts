// What tests without a server of their own know of people and waiting.

/** Everybody's. */
export const password = 'correct horse'

/** Waits until something becomes true; for what really happens in time. `everyMs`: longer where a look is work for what is looked at. */
export async function until<T>(
  look: () => T | Promise<T>,
  patienceMs = 120_000,
  everyMs = 25,
): Promise<NonNullable<T>> {
  const end = Date.now() + patienceMs
  for (;;) {
    const found = await look()
    if (found) return found as NonNullable<T>
    if (Date.now() > end) throw new Error('It did not become true in time')
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
