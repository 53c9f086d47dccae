/** The fields of a row that are named, and no others: what is frozen of seller and buyer. */
export function only<Row extends object, Name extends keyof Row>(
  row: Row,
  names: Readonly<Record<Name, true>>,
): Pick<Row, Name> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, row[name as Name]])) as Pick<Row, Name>
}
