import { searchKey } from '#shared/search-key.ts'

/** What a search of quotes looks at; stored beside the row whenever one of its parts changes. */
export function quoteKey(quote: {
  number: string | null
  customerName: string | null
  lines: readonly { name: string }[]
}): string {
  return searchKey(quote.number, quote.customerName, ...quote.lines.map(({ name }) => name)).slice(0, 4000)
}
