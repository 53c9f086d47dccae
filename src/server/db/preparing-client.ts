// A connection to the embedded database that has each statement parsed and planned once. There that is most of what a statement costs (decision 004).
import pg from 'pg'

/** A text that names as many things as there are is another one for each number: what comes after these is done as ever. */
const mostStatements = 500
/** Longer ones write many rows at once: planning is the least of that, and what is kept of them takes a megabyte each. */
const longestText = 8000

/**
 * For how long a statement is done as it was planned at first: a table may grow a thousandfold meanwhile. The connection's end; what it had
 * prepared is forgotten when the next one begins.
 */
export const preparedForSeconds = 60

/** What a connection begins with: it has the same backend as the one before, and that still holds what that one has prepared. */
export const beginsConnection = 'deallocate all'

/** `invalid_sql_statement_name`: what was prepared is gone. */
const goneState = '26000'

export class PreparingClient extends pg.Client {
  readonly #names = new Map<string, string>()
  #lastName = 0

  override query(...asked: unknown[]): never {
    const [text, values, ...rest] = asked
    const query = (...each: unknown[]) => super.query(...(each as [string])) as unknown
    // Without values it may be several statements, which cannot be prepared.
    const isPreparable = typeof text === 'string' && Array.isArray(values) && values.length > 0
    const name = isPreparable ? this.#nameOf(text) : null
    if (name === null) return query(...asked) as never
    const answer = query({ name, text, values }, ...rest)
    if (answer instanceof Promise) answer.catch((error: unknown) => isLost(error) && this.#names.delete(text as string))
    return answer as never
  }

  #nameOf(text: string): string | null {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    if (this.#names.size >= mostStatements || text.length > longestText) return null
    const name = `s${(this.#lastName += 1)}`
    this.#names.set(text, name)
    return name
  }
}

/** A value that cannot be sent has node-postgres close the statement and go on believing in it; what the server itself refuses leaves it as it is. */
function isLost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.code === goneState
}
