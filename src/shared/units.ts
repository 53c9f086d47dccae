/** Units of measure that invoices commonly count in, by their codes of UN/ECE Recommendation 20. Any other code is kept as it is. */
export const unitCodes = [
  'C62',
  'HUR',
  'MIN',
  'DAY',
  'WEE',
  'MON',
  'ANN',
  'MTR',
  'CMT',
  'MTK',
  'MTQ',
  'KMT',
  'KGM',
  'GRM',
  'TNE',
  'LTR',
  'KWH',
  'SET',
  'PR',
  'E48',
  'LS',
] as const

/** Other codes of that list which are common on invoices; an e-invoice may name no unit that is in no list (BR-CL-23). */
const otherUnits = new Set(
  'H87 EA E48 MIN SEC ANN QAN GRM MGM DTN MLT CLT DLT HLT MTQ CMQ DMQ CMT MMT DMT CMK MMK INH FOT YRD SMI FTK YDK LBR ONZ GLL PR DZN NAR KWT MWH A9 XPP XPK XBX XCT XPX XRO'.split(
    ' ',
  ),
)

export function isKnownUnit(code: string): boolean {
  return (unitCodes as readonly string[]).includes(code) || otherUnits.has(code)
}
