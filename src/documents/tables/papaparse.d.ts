// What Docket uses of a library whose published types want Node's.
declare module 'papaparse' {
  interface Parser {
    parse(
      text: string,
      baseIndex: number,
      ignoreLastRow: boolean,
    ): { data: string[][]; errors: { type: string; row?: number }[]; meta: { cursor: number } }
  }
  const papa: {
    Parser: new (options: { delimiter: string; newline: '\n'; preview?: number }) => Parser
    unparse(cells: unknown[][], options: { newline: '\r\n'; escapeFormulae: RegExp }): string
  }
  export default papa
}
