// A file on its way in: read whatever wrote it, its columns guessed, its numbers and dates understood, and what is wrong with it named.
import { expect, test, describe } from 'vitest'
import { csvHead, csvLines } from '#documents/tables/csv.ts'
import { customerColumns, itemColumns, lineColumns, partsOf } from '#documents/tables/columns.ts'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import {
  guessMapping,
  importFields,
  importKinds,
  taxModeOf,
  type ImportKind,
  vatLeftOut,
} from '#page/features/imports/fields.ts'
import { largestBytes, mostRows, readTable, type FileTable } from '#page/features/imports/read-file.ts'
import { namingWhatIsMissing } from '#page/features/imports/run.ts'
import { placeOf, recordsOf } from '#page/features/imports/records.ts'
import { guessFormats, readCell } from '#page/features/imports/values.ts'
import { importText } from '#page/words/import-words.ts'

const file = (content: string | Uint8Array<ArrayBuffer>) => new Blob([content])

async function table(content: string | Uint8Array<ArrayBuffer>): Promise<FileTable> {
  const read = await readTable(file(content))
  if ('problem' in read) throw new Error(read.problem)
  return read
}

async function records(kind: ImportKind, content: string, locale = 'en-GB', currency = 'EUR') {
  const read = await table(content)
  const mapping = guessMapping(kind, read.head, read.rows)
  return recordsOf(kind, read, mapping, guessFormats(kind, mapping, read.rows, locale), currency)
}

describe('reading', () => {
  test.each([
    [',', 'Name,City\r\n"Müller, Söhne",Köln\r\n'],
    [';', 'Name;City\n"Müller, Söhne";Köln'],
    ['\t', 'Name\tCity\nMüller, Söhne\tKöln\n\n\n'],
  ])('delimiter %j', async (delimiter, content) => {
    expect(await table(content)).toEqual({
      head: ['Name', 'City'],
      rows: [{ row: 2, cells: ['Müller, Söhne', 'Köln'] }],
      encoding: 'utf-8',
      delimiter,
    })
  })

  test('UTF-8 with and without its mark, and what an older spreadsheet wrote', async () => {
    expect(await table('\u{feff}Name\nÄrger €')).toMatchObject({ head: ['Name'], encoding: 'utf-8' })
    const old = Uint8Array.from([...new TextEncoder().encode('Name;City\nM'), 0xfc, 0x80, 0x3b, 0x4b])
    expect(await table(old)).toMatchObject({ rows: [{ cells: ['Mü€', 'K'] }], encoding: 'windows-1252' })
  })

  test.each([
    ['utf-16le', [0xff, 0xfe]],
    ['utf-16be', [0xfe, 0xff]],
  ] as const)('what Excel saves as Unicode text: %s, with tabs, whatever else is chosen', async (encoding, mark) => {
    const units = 'Name\tCity\r\nMüller\tŁódź €\r\n'.split('').map((each) => each.charCodeAt(0))
    const pairs = units.flatMap((unit) => (encoding === 'utf-16le' ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255]))
    const content = Uint8Array.from([...mark, ...pairs])
    const rows = [{ row: 2, cells: ['Müller', 'Łódź €'] }]
    expect(await table(content)).toEqual({ head: ['Name', 'City'], rows, encoding, delimiter: '\t' })
    expect(await readTable(file(content), { encoding: 'utf-8', delimiter: '\t' })).toMatchObject({ rows, encoding })
  })

  test('lines in a cell count as the one row that a spreadsheet shows; empty rows are counted and left out', async () => {
    const { rows } = await table('Name,Notes\n\nBob,"two\nlines ""quoted"""\n,\nEve,x')
    expect(rows).toEqual([
      { row: 3, cells: ['Bob', 'two\nlines "quoted"'] },
      { row: 5, cells: ['Eve', 'x'] },
    ])
  })

  test.each([
    ['empty', ''],
    ['empty', '\n\n  \n'],
    ['noRows', 'Name,Email\n'],
    ['binary', Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0])],
    ['binary', Uint8Array.from([0xff, 0xfe, 3, 4, 0, 0])],
  ] as const)('%s', async (problem, content) => {
    expect(await readTable(file(content))).toEqual({ problem })
  })

  test('a quote that never ends is named with its row, however far the end is', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => `Customer ${index},Street ${index}`)
    rows[41] = '"Never ends,Street'
    expect(await readTable(file(['Name,Street', ...rows].join('\n')))).toEqual({ problem: 'quotes', row: 43 })
    expect(await readTable(file('Name\nBob\n"Ends" too early\n'))).toEqual({ problem: 'quotes', row: 3 })
  })

  test('too large, and too many rows', async () => {
    expect(await readTable(file(new Uint8Array(50 * 1024 * 1024)))).toEqual({ problem: 'tooLarge' })
    expect(largestBytes).toBeLessThan(50 * 1024 * 1024)
    expect(await readTable(file('Name\n' + 'Bob\n'.repeat(mostRows + 1)))).toEqual({ problem: 'tooManyRows' })
  })

  test('ten thousand rows: the thread is free again within 50 ms', async () => {
    const row = (index: number) =>
      `"Customer, ${index}",Street ${index},${10_000 + index},City,bob${index}@example.com,"some ""notes"" of ${index}"`
    const content = [
      'Name,Street,Postal code,City,Email,Notes',
      ...Array.from({ length: 10_000 }, (_, index) => row(index)),
    ]
    const blob = file(content.join('\n'))
    // Once before, so that compiling is not measured.
    await readTable(blob)
    // What the thread itself computes between two turns of others: other tests share the machine.
    const usedMs = () => {
      const { user, system } = process.threadCpuUsage()
      return (user + system) / 1000
    }
    const read = async () => {
      const found = await readTable(blob)
      if ('problem' in found) throw new Error(found.problem)
      const mapping = guessMapping('customers', found.head)
      return recordsOf('customers', found, mapping, guessFormats('customers', mapping, found.rows, 'en'), 'EUR')
    }
    // A machine under load adds and never takes away: the best of three.
    let longestMs = Infinity
    for (let round = 0; round < 3; round += 1) {
      let longest = 0
      let last = usedMs()
      const timer = setInterval(() => {
        longest = Math.max(longest, usedMs() - last)
        last = usedMs()
      })
      const made = await read()
      clearInterval(timer)
      longestMs = Math.min(longestMs, longest)
      expect(made).toHaveLength(10_000)
      expect(made[9999]).toMatchObject({
        row: 10_001,
        values: { name: 'Customer, 9999', notes: 'some "notes" of 9999' },
      })
    }
    expect(longestMs).toBeLessThan(50)
  })
})

test('the line by which Excel names what parts the cells is no row of them', async () => {
  const read = await readTable(new Blob(['sep=;\r\nName;Country\r\nBob;NL\r\n']))
  expect(read).toMatchObject({ head: ['Name', 'Country'], delimiter: ';', rows: [{ row: 3, cells: ['Bob', 'NL'] }] })
})

describe('columns', () => {
  test('heads in English and German', () => {
    expect(
      guessMapping('customers', [
        'Firma',
        'E-Mail-Adresse',
        'Straße',
        'PLZ',
        'Ort',
        'Land',
        'USt-IdNr.',
        'Leitweg-ID',
        'Lieblingsfarbe',
      ]),
    ).toEqual([
      'name',
      'email',
      'address.line1',
      'address.postalCode',
      'address.city',
      'country',
      'vatNumber',
      'buyerReference',
      null,
    ])
    expect(guessMapping('items', ['SKU', 'Name', 'Price', 'VAT %'])).toEqual(['sku', 'name', 'unitPrice', 'vat.rate'])
    expect(
      guessMapping('invoices', [
        'Rechnungsnummer',
        'Kunde',
        'Fälligkeitsdatum',
        'Artikel',
        'Menge',
        'Einzelpreis',
        'USt.',
        'Wechselkurs',
        'Kursdatum',
        'Kursquelle',
      ]),
    ).toEqual([
      'number',
      'customer.name',
      'dueDate',
      'line.name',
      'line.quantity',
      'line.unitPrice',
      'line.vat.rate',
      'exchange.rate',
      'exchange.date',
      'exchange.source',
    ])
  })

  test.each([
    ['Tax', ['21', '9', '21%', ''], 'line.vat.rate'],
    ['USt.', ['19,00', '7,00'], 'line.vat.rate'],
    ['VAT', ['210.00', '18.00'], null],
    ['VAT', ['€ 210,00', '1.234,50'], null],
    ['MwSt', ['1,90', '2,10', '3,40', '4,20', '5,10', '6,60', '7,70'], null],
    ['Tax', ['included'], 'line.vat.rate'],
    ['VAT', ['19 %', '7 %', 'reverse charge'], 'line.vat.rate'],
    ['VAT rate', ['210.00'], 'line.vat.rate'],
    ['MwSt', ['19', '19', '19%', '7', '119'], 'line.vat.rate'],
  ])('%s of %j', (head, cells, field) => {
    const rows = cells.map((cell) => ({ cells: [cell] }))
    expect(guessMapping('invoices', [head], rows)).toEqual([field])
  })

  test('of a price list a column of VAT has the rates, whatever else is in it; else it is said that it is left out', () => {
    const guess = (kind: ImportKind, ...cells: string[]) => {
      const mapping = guessMapping(
        kind,
        ['Artikel', 'MwSt'],
        cells.map((cell) => ({ cells: ['Stunde', cell] })),
      )
      return [mapping[1], vatLeftOut(kind, ['Artikel', 'MwSt'], mapping)]
    }
    expect(guess('items', '19', '19', '7', '0', '5.5', '10', '119', '200', '7')).toEqual(['vat.rate', null])
    expect(guess('items', '119', '19')).toEqual(['vat.rate', null])
    expect(guess('items', '119', '240')).toEqual([null, 'MwSt'])
    expect(guess('items', '0.57', '1.90', '3.80', '4.75', '9.50', '19.00', '38.00')).toEqual([null, 'MwSt'])
    expect(guess('invoices', '119', '19')).toEqual([null, 'MwSt'])
    const known = guessMapping('items', ['MwSt', 'MwSt-Satz'], [{ cells: ['119', '19'] }])
    expect(known).toEqual([null, 'vat.rate'])
    expect(vatLeftOut('items', ['MwSt', 'MwSt-Satz'], known)).toBeNull()
  })

  test('the heads of Docket’s own exports are all known', () => {
    const known = (kind: ImportKind, columns: readonly { name: string }[]) => {
      const heads = columns.map(({ name }) => name)
      return heads.filter((_, index) => guessMapping(kind, heads)[index] === null)
    }
    expect(known('customers', customerColumns)).toEqual([])
    expect(known('items', itemColumns)).toEqual([])
    expect(known('invoices', lineColumns)).toEqual([
      'Line',
      'Issue date',
      'Line net',
      'Invoice discounts',
      'Invoice charges',
      'Invoice ID',
    ])
  })

  test('a field is given to one column, and each has a word', () => {
    expect(guessMapping('customers', ['Company', 'Name', 'Name'])).toEqual([null, 'name', null])
    for (const kind of importKinds)
      for (const { word } of importFields(kind)) expect(Object.keys(importText.fields)).toContain(word)
  })
})

describe('cells', () => {
  const comma = { decimalMark: ',', dateOrder: 'dmy' } as const
  const point = { decimalMark: '.', dateOrder: 'mdy' } as const
  test.each([
    ['1.234,50', comma, '1234.50'],
    ['1.234', comma, '1234'],
    ['1,5', comma, '1.5'],
    ['1 234,50 €', comma, '1234.50'],
    ['-0,5', comma, '-0.5'],
    ['1,234.50', point, '1234.50'],
    ['1,234', point, '1234'],
    ['$ 1.5', point, '1.5'],
    ['many', point, 'many'],
    ['1.2.3,4.5', point, '1.2.3,4.5'],
    ['Fr. 250', point, '250'],
    ["SFr. 1'234.50", point, '1234.50'],
    ['Rs. 1,250.00', point, '1250.00'],
    ['1.250,00 kr.', comma, '1250.00'],
    ['EUR -5,00', comma, '-5.00'],
    ['-€5.00', point, '-5.00'],
    ['50.00-', point, '-50.00'],
    ['50,00- €', comma, '50,00-€'],
    ['(1)', point, '-1'],
    ['($1,234.50)', point, '-1234.50'],
    ['\u22121.5', point, '-1.5'],
    ['\u20131', point, '-1'],
    ['-(5)', point, '-(5)'],
    ['(-5)', point, '(-5)'],
    ['100 CR', point, '100CR'],
    ['10k', point, '10k'],
    ['2 x 50', point, '2x50'],
    ['10 %', point, '10%'],
    ['', point, ''],
    ['CA$ 5', point, '5'],
    ['2 h', point, '2h'],
  ] as const)('amount %s', (cell, formats, value) => expect(readCell(cell, 'money', formats)).toBe(value))

  test.each([
    ['2 h', point, '2'],
    ['3 Stk.', comma, '3'],
    ['12 m²', comma, '12'],
    ['-1,5', comma, '-1.5'],
    ['€ 2', point, '€2'],
  ] as const)('quantity %s', (cell, formats, value) => expect(readCell(cell, 'quantity', formats)).toBe(value))

  test.each([
    ['2026-11-05', comma, '2026-11-05'],
    ['2026-11-05T10:00:00Z', comma, '2026-11-05'],
    ['5.11.2026', comma, '2026-11-05'],
    ['05/11/26', comma, '2026-11-05'],
    ['11/05/2026', point, '2026-11-05'],
    ['soon', comma, 'soon'],
  ] as const)('date %s', (cell, formats, value) => expect(readCell(cell, 'date', formats)).toBe(value))

  test('words for codes', () => {
    expect(readCell('Deutschland', 'country', comma)).toBe('DE')
    expect(readCell('netherlands', 'country', comma)).toBe('NL')
    expect(readCell('at', 'country', comma)).toBe('AT')
    expect(readCell('Atlantis', 'country', comma)).toBe('Atlantis')
    expect(readCell('Std.', 'unit', comma)).toBe('HUR')
    expect(readCell('Stück', 'unit', comma)).toBe('C62')
    expect(readCell('eur', 'currency', comma)).toBe('EUR')
    expect(readCell('Brutto', 'taxMode', comma)).toBe('gross')
    expect(readCell('Gutschrift', 'invoiceType', comma)).toBe('381')
    expect(readCell('−5 %', 'rate', comma)).toBe('-5')
    expect(readCell('Privat', 'customerKind', comma)).toBe('person')
    expect(readCell('19 %', 'rate', comma)).toBe('19')
    expect(readCell('14', 'days', comma)).toBe(14)
  })

  test('how numbers and dates are written is told from those that leave no doubt', () => {
    const guess = (cells: string[], locale: string) => {
      const rows = cells.map((cell, index) => ({ row: index + 2, cells: [cell] }))
      return guessFormats('invoices', [cells[0]!.includes('/') ? 'dueDate' : 'line.unitPrice'], rows, locale)
    }
    expect(guess(['1.234', '99,90'], 'en-GB').decimalMark).toBe(',')
    expect(guess(['1,234', '1,234.5'], 'de-DE').decimalMark).toBe('.')
    expect(guess(['1.234'], 'de-DE').decimalMark).toBe(',')
    expect(guess(['1.234'], 'en-GB').decimalMark).toBe('.')
    expect(guess(['Fr. 250', 'Fr. 1.250'], 'de-DE').decimalMark).toBe(',')
    expect(guess(['01/02/2026', '13/02/2026'], 'en-US').dateOrder).toBe('dmy')
    expect(guess(['01/02/2026', '01/31/2026'], 'en-GB').dateOrder).toBe('mdy')
    expect(guess(['01/02/2026'], 'en-US').dateOrder).toBe('mdy')
  })
})

describe('records', () => {
  test('empty cells say nothing; the second row about one is named, and cells without a column', async () => {
    const made = await records(
      'customers',
      'Name,Email,City\nBob,bob@example.com,\nRobert,BOB@example.com,Delft\nEve,,x,stray\n',
    )
    expect(made).toMatchObject([
      { row: 2, values: { name: 'Bob', email: 'bob@example.com' }, problem: null },
      { row: 3, problem: { kind: 'double', row: 2 } },
      { row: 4, problem: { kind: 'moreCells' } },
    ])
    expect(made[0]!.values).not.toHaveProperty('address')
  })

  test.each<[ImportKind, string, (number | null)[]]>([
    // By less than the first is known by: the server would take it for the first once that is here.
    ['customers', 'Name,Email\nBob,bob@example.com\nBOB,\nBob,other@example.com\n', [null, 2, null]],
    ['customers', 'Name,VAT number\nBob,NL 1\nEve,NL2\nbob,\n', [null, null, 2]],
    ['customers', 'Name\nBob\nBob\nBob\n', [null, 2, 2]],
    ['customers', 'ID,Name\nid-1,Twin\nid-2,Twin\nid-1,Eve\n', [null, null, 2]],
    ['items', 'SKU,Name\nH-1,Hour\nH-2,Hour\n,Hour\n', [null, null, 2]],
  ])('a second row about one %s is named, whatever it is known by: %j', async (kind, content, doubles) => {
    const made = await records(kind, content)
    expect(made.map(({ problem }) => (problem?.kind === 'double' ? problem.row : null))).toEqual(doubles)
  })

  test('lines of one number are one invoice, and an error finds its row', async () => {
    const made = await records(
      'invoices',
      'Rechnungsnummer;Kunde;Fällig am;Artikel;Menge;Preis;MwSt\nA-1;Bob;24.12.2026;Stunde;2,5;1.000,50;19\nA-2;Eve;;Tag;1;80;7 %\nA-1;;;Anfahrt;1;30;19',
      'de-DE',
    )
    expect(made).toMatchObject([
      {
        row: 2,
        lineRows: [2, 4],
        values: {
          number: 'A-1',
          customer: { name: 'Bob' },
          dueDate: '2026-12-24',
          lines: [
            { name: 'Stunde', quantity: '2.5', unitPrice: '1000.50', vat: { rate: '19' } },
            { name: 'Anfahrt', quantity: '1', unitPrice: '30' },
          ],
        },
      },
      { row: 3, lineRows: [3], values: { lines: [{ vat: { rate: '7' } }] } },
    ])
    expect(placeOf(made[0]!, '/lines/1/vat/rate')).toEqual({ row: 4, field: 'line.vat.rate' })
    expect(placeOf(made[0]!, '/dueDate')).toEqual({ row: 2, field: 'dueDate' })
  })

  test('rows of one number that say something else of the invoice are named, and nothing of it is sent', async () => {
    const made = await records(
      'invoices',
      'Number,Customer,Customer email,Due date,Currency,Item,Unit price\nA-1,Bob,,2026-12-24,EUR,Hour,10\nA-1,Bob,bob@example.com,,EUR,Hour,10\nA-1,Eve,,2026-12-24,EUR,Hour,10\nA-2,Bob,,,EUR,Hour,10\nA-2,Bob,,,USD,Hour,10\n',
    )
    expect(made).toMatchObject([
      {
        row: 2,
        values: { customer: { name: 'Bob', email: 'bob@example.com' } },
        problem: { kind: 'differs', at: 4, field: 'customer.name' },
      },
      { row: 5, problem: { kind: 'differs', at: 6, field: 'currency' } },
    ])
  })

  test.each([
    ['$500.00', 'USD CAD AUD MXN', 'EUR GBP'],
    ['500.00 USD', 'USD', 'EUR CAD'],
    ['£1', 'GBP', 'EUR USD'],
    ['1 kr.', 'SEK NOK DKK ISK', 'EUR'],
    ['Fr. 1', 'CHF', 'EUR'],
    ['1 zł', 'PLN', 'EUR'],
    ['US$1', 'USD', 'CAD'],
    ['¥1', 'JPY CNY', 'EUR'],
    ['1 €', 'EUR', 'USD'],
  ])('%s is no price of a row in another currency', async (cell, fits, others) => {
    const item = async (currency: string) =>
      (await records('items', `Name,Price\nWork,${cell}\n`, 'en-GB', currency))[0]
    for (const currency of fits.split(' '))
      expect([currency, await item(currency)]).toMatchObject([currency, { problem: null }])
    for (const currency of others.split(' '))
      expect(await item(currency)).toMatchObject({
        problem: { kind: 'otherCurrency', at: 2, field: 'unitPrice', currency },
      })
  })

  test('the row’s own currency counts, whichever row of an invoice says it; what is certain is said', async () => {
    const made = await records(
      'invoices',
      'Number,Currency,Item,Price,Discount amount\nA-1,,Work,$5,\nA-1,USD,Travel,US$6,\nA-2,EUR,Work,5 €,\nA-2,,Work,5,$1\nA-3,,Work,5 €,\nA-4,,Work,5,\nA-5,Euro,Work,$5,\n',
    )
    expect(made).toMatchObject([
      { values: { currency: 'USD' }, problem: null },
      { problem: { kind: 'otherCurrency', at: 5, field: 'line.discount', written: '$', currency: 'EUR' } },
      { values: { currency: 'EUR' }, problem: null },
      { problem: null },
      { problem: null },
    ])
    expect(made[3]!.values).not.toHaveProperty('currency')
    // A customer may be billed in another dollar.
    const [dollars] = await records('invoices', 'Number,Item,Price\nA-1,Work,$5\n', 'en-GB', 'CAD')
    expect(dollars).toMatchObject({ problem: null })
    expect(dollars!.values).not.toHaveProperty('currency')
  })

  test('a unit beside a quantity is the line’s, and named where the column for units has another', async () => {
    const made = await records(
      'invoices',
      'Number,Item,Quantity,Unit,Price\nA-1,Work,2 h,,5\nA-1,Work,2 h,hours,5\nA-2,Work,2 h,day,5\n',
    )
    expect(made).toMatchObject([
      {
        values: {
          lines: [
            { quantity: '2', unit: 'HUR' },
            { quantity: '2', unit: 'HUR' },
          ],
        },
        problem: null,
      },
      { problem: { kind: 'otherUnit', at: 4, field: 'line.quantity' } },
    ])
  })

  test('`Amount` is no quantity, and `Discount` no amount, unless somebody says so', () => {
    const heads = ['Number', 'Item', 'Qty', 'Price', 'Amount', 'Betrag', 'Discount', 'Total']
    expect(guessMapping('invoices', heads)).toEqual([
      'number',
      'line.name',
      'line.quantity',
      'line.unitPrice',
      null,
      null,
      null,
      null,
    ])
  })

  test('what an export wrote comes back as it was, formulas included', async () => {
    const customer = {
      id: '01920000-0000-7000-8000-000000000001',
      kind: 'business',
      name: '=1+1',
      country: 'NL',
      email: 'a@example.com',
      phone: '+31 6',
      contactName: null,
      address: { line1: '- Street', line2: null, city: 'Köln; "x"', postalCode: '0123', region: null },
      vatNumber: null,
      registrationNumber: null,
      endpoint: { scheme: '0106', id: '12345678' },
      currency: 'EUR',
      termsDays: 0,
      buyerReference: '@home',
      language: 'de',
      notes: 'two\nlines',
    } as unknown as Customer
    const [made] = await records('customers', csvHead(customerColumns) + csvLines(customerColumns, [customer]))
    const said = JSON.parse(JSON.stringify(customer), (_, value) => value ?? undefined)
    expect(made!.values).toEqual(said)
    const line = {
      name: 'Hour',
      description: null,
      quantity: '-1.5',
      unit: 'HUR',
      unitPrice: '0.5',
      baseQuantity: '1',
      allowances: [{ amount: '0.10' }, { amount: '0.20' }],
      charges: [],
      vat: { category: 'S', rate: '21', reason: null },
      net: { amount: '-1.05', currency: 'EUR' },
    }
    const invoice = {
      id: 'x',
      number: 'INV-1',
      customerName: 'Bob',
      issueDate: '2026-01-01',
      dueDate: null,
      supplyDate: null,
      currency: 'EUR',
      taxMode: 'net',
      type: '381',
      allowances: [],
      charges: [{ amount: '5' }],
      gross: { amount: '4.78', currency: 'EUR' },
      lines: [line],
    } as unknown as Invoice
    const csv =
      csvHead(lineColumns) +
      csvLines(
        lineColumns,
        partsOf([invoice], ({ lines }) => lines),
      )
    const lines = [{ ...line }, { ...line }]
    const drafted = { ...invoice, id: 'y', number: null, customerName: 'Eve', lines } as unknown as Invoice
    const withDraft =
      csv +
      csvLines(
        lineColumns,
        partsOf([drafted], ({ lines }) => lines),
      )
    // A draft has no number to be known again by: that is said of it, once.
    expect((await records('invoices', withDraft)).slice(1)).toMatchObject([
      { row: 3, label: 'Eve', lineRows: [3, 4], problem: { kind: 'draft' } },
    ])
    // What has no number and is of no export may need only that.
    expect(await records('invoices', 'Number,Customer,Item\n,Eve,Hour\n')).toMatchObject([{ problem: null }])
    expect(csv).toContain(',0.30,0.00,')
    expect(csv).toContain(',0.00,5.00,4.78,')
    expect((await records('invoices', csv))[0]!.values).toEqual({
      number: 'INV-1',
      customer: { name: 'Bob' },
      currency: 'EUR',
      taxMode: 'net',
      type: '381',
      totals: { gross: '4.78' },
      lines: [
        {
          name: 'Hour',
          allowances: [{ amount: '0.30' }],
          quantity: '-1.5',
          unit: 'HUR',
          unitPrice: '0.5',
          baseQuantity: '1',
          vat: { category: 'S', rate: '21' },
        },
      ],
    })
  })
})

test('a cell of several lines is one line, but where text may have several', async () => {
  const [row] = await records('customers', 'Name,Street,Notes\nBob,"Main Street 1\r\nBackyard","One\nTwo"', 'en-GB')
  expect(row!.values).toMatchObject({ address: { line1: 'Main Street 1, Backyard' }, notes: 'One\nTwo' })
})

test('a row without a name is told that it has none, whatever else was said of the name', () => {
  const errors = [
    { pointer: '/name', detail: 'Several customers here are like this one: name it by its ID' },
    { pointer: '/email', detail: 'Enter an email such as name@example.com' },
  ]
  const outcome = { row: 2, outcome: 'bad' as const, id: null, was: null, gross: null, errors }
  const details = (values: object) =>
    namingWhatIsMissing({ values: { ...values } }, outcome).errors.map((each) => each.detail)
  expect(details({ email: 'x' })).toEqual(['Enter a name', errors[1]!.detail])
  expect(details({ name: 'Bob', email: 'x' })).toEqual(errors.map((each) => each.detail))
})

test('a head that says that prices are net, or gross, is heard, whatever the organization reckons in', async () => {
  const modes = async (head: string) => (await records('items', `Artikel;${head}\nStunde;100,00`, 'de-DE'))[0]
  expect((await modes('Nettopreis'))!.values).toMatchObject({ unitPrice: '100.00', taxMode: 'net' })
  expect((await modes('Bruttopreis'))!.values).toMatchObject({ unitPrice: '100.00', taxMode: 'gross' })
  expect(taxModeOf('Großhandelspreis')).toBeNull()
  expect((await modes('Preis'))!.values).not.toHaveProperty('taxMode')
})
