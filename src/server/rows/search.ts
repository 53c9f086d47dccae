import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { searchWords } from '#shared/search-key.ts'

/** Every word of the query, as one of its spellings, occurs in the stored search key; the same rule as shared/search-key's matchesSearch. */
export function searched<Tables, Table extends keyof Tables>(
  eb: ExpressionBuilder<Tables, Table>,
  column: Parameters<ExpressionBuilder<Tables, Table>['ref']>[0],
  query: string,
): Expression<SqlBool> {
  const key = eb.ref(column)
  const occurs = (word: string) => eb(key as never, 'like', `%${word.replace(/[\\%_]/g, '\\$&')}%` as never)
  return eb.and(searchWords(query).map((spellings) => eb.or(spellings.map(occurs))))
}
