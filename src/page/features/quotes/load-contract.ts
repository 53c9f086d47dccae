/** Loaded when it is needed first: screens without a form do without the schema library. */
export const loadQuoteContract = async () => (await import('#shared/contract/quotes.ts')).quoteEdit
