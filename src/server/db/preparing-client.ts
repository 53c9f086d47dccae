// A connection to the embedded database that has each statement parsed and planned once. There that is most of what a statement costs (decision 004).
import pg from 'pg'

/** A text that names as many things as there are is another one for each number: what a minute's work cannot use up is kept. */
const mostStatements = 500

/**
 * For how long a statement is done as it was planned at first: a table may grow a thousandfold meanwhile. The connection's end; what it had
 * prepared is forgotten when the next one begins.
 */
export const preparedForSeconds = 60

export const forgetPrepared = 'deallocate all'

export class PreparingClient extends pg.Client {
  readonly #names = new Map<string, string>()

  override query(...asked: unknown[]): never {
    const [text, values, ...rest] = asked
    const query = (...each: unknown[]) => super.query(...(each as [string])) as never
    // Without values it may be several statements, which cannot be prepared.
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return query(...asked)
    const name = this.#nameOf(text)
    return name === null ? query(...asked) : query({ name, text, values }, ...rest)
  }

  #nameOf(text: string): string | null {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    if (this.#names.size >= mostStatements) return null
    const name = `s${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}
