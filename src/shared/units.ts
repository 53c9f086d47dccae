/** Units of measure that invoices commonly count in, by their codes of UN/ECE Recommendation 20. Any other code is kept as it is. */
export const unitCodes = [
  'C62',
  'HUR',
  'DAY',
  'WEE',
  'MON',
  'MTR',
  'MTK',
  'MTQ',
  'KMT',
  'KGM',
  'TNE',
  'LTR',
  'KWH',
  'SET',
  'LS',
] as const
