// Every word that a person reads comes from a catalogue, and every catalogue has its German: what the page says, and what contracts and server say to it.
import fs from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { invoiceEdit } from '#shared/contract/invoices.ts'
import { acceptedLanguage, languageOf } from '#shared/language.ts'
import { documentLocale, wordsOf } from '#documents/words.ts'
import { formatDate, formatMoney } from '#shared/format.ts'
import { german as appGerman, germanSayings as appSayings } from '#page/words/app-german.ts'
import { english as appEnglish } from '#page/words/app-english.ts'
import { english } from '#page/words/english.ts'
import { asFieldErrors } from '#page/forms/form-errors.ts'
import { german, germanSayings } from '#page/words/german.ts'
import { importWords } from '#page/words/import-words.ts'
import { learn, said } from '#page/words/said.ts'

const root = path.resolve(import.meta.dirname, '..')

interface Node {
  type: string
  [key: string]: unknown
}

function filesIn(folder: string, ending: RegExp): string[] {
  return (
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      // walls.test.ts plants files of this name, and takes them away again meanwhile.
      .filter((name) => ending.test(name) && !name.includes('planted-breach'))
      .map((name) => path.join(folder, name))
  )
}

/** Every node of a file, with those around it, the nearest last. */
function walk(file: string, see: (node: Node, around: readonly Node[]) => void): void {
  const visit = (value: unknown, around: readonly Node[]): void => {
    if (Array.isArray(value)) return value.forEach((each) => visit(each, around))
    if (typeof value !== 'object' || value === null) return
    const node = value as Node
    const inside = typeof node.type === 'string' ? [...around, node] : around
    if (typeof node.type === 'string') see(node, around)
    for (const [key, child] of Object.entries(node)) if (key !== 'parent') visit(child, inside)
  }
  visit(parseSync(file, fs.readFileSync(path.join(root, file), 'utf8')).program, [])
}

/** The text of a literal; what a template leaves open is a number. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type !== 'TemplateLiteral') return null
  return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('7')
}

const isWord = (text: string) => /\p{L}{2,}/u.test(text)
/** What a person reads or hears of an element. */
const spoken =
  /^(containerAriaLabel|aria-(label|description|roledescription|valuetext)|alt|label|title|placeholder|hint|lead|description|submit(Label)?)$/
/** The product's name is the same everywhere. */
const names = new Set(['Docket'])

/** Words that stand in the markup of a screen itself. */
function wordsInMarkup(file: string): string[] {
  const found: string[] = []
  walk(file, (node, around) => {
    const within = around.at(-1)
    const holder = within?.type === 'JSXExpressionContainer' ? around.at(-2) : within
    const text = node.type === 'JSXText' ? (node['value'] as string) : textOf(node)
    if (text === null || !isWord(text) || names.has(text.trim())) return
    const attribute = holder?.type === 'JSXAttribute' ? String((holder['name'] as Node)['name']) : null
    if (node.type === 'JSXText' || holder?.type === 'JSXElement' || (attribute && spoken.test(attribute)))
      found.push(`${file}: ${text.trim()}`)
  })
  return found
}

test('no visible word stands outside the catalogues', () => {
  const screens = filesIn('src/page', /\.tsx$/)
  expect(screens.length).toBeGreaterThan(80)
  expect(screens.flatMap(wordsInMarkup)).toEqual([])
})

/** What contracts and server say to a person: at a field, or as a problem's title and detail. */
function sayingsIn(file: string): string[] {
  const found: string[] = []
  walk(file, (node, around) => {
    const text = textOf(node)
    if (text === null || !/^["A-Z7][^<>=]*[a-z]/.test(text) || !/\s/.test(text)) return
    const holder = around.at(-1)!
    const call = around.findLast(({ type }) => type === 'CallExpression' || type === 'NewExpression')
    const callee = (call?.['callee'] ?? {}) as Node
    const named = (callee['property'] ?? callee) as { name?: string }
    const name = named.name ?? ''
    const isDetail = holder.type === 'Property' && /^(detail|message)$/.test(String((holder['key'] as Node)['name']))
    const isTitle = holder.type === 'ArrayExpression' && /problem(-form)?\.ts$/.test(file)
    if (file.startsWith('src/shared/contract/') ? name !== 'meta' : isDetail || isTitle || says.has(name))
      found.push(text)
  })
  return found
}
const says = new Set(['fail', 'fieldProblem', 'refuse', 'issue', 'error', 'badField'])

/** Said to programs: no screen of ours sends what brings them about. */
const toPrograms =
  /refresh token|reset token|confirmation token|verification token|invitation token|is not UTF-8|This server is|Invalid JWT/i

test('everything that contracts and server say has its German', () => {
  learn({ ...germanSayings, ...appSayings }, ['de-DE'])
  const files = [...filesIn('src/shared', /\.ts$/), ...filesIn('src/server', /\.ts$/)]
  // The first word of it differs too; the sayings name each.
  const isOpen = (each: string) => each === '7 7 is missing'
  const sayings = [...new Set(files.flatMap(sayingsIn))].filter((each) => !toPrograms.test(each) && !isOpen(each))
  expect(sayings.length).toBeGreaterThan(90)
  expect(sayings.filter((each) => said(each) === each)).toEqual([])
})

test('a saying keeps what differs from time to time, and translates that too', () => {
  learn({ ...germanSayings, ...appSayings }, ['de-DE'])
  expect(said('At most 200 characters')).toBe('Höchstens 200 Zeichen')
  expect(said('Must be 0 for Exempt')).toBe('Muss 0 sein für: Steuerfrei')
  expect(said('Only 12.00 EUR is left with VAT 21.5 %')).toBe('Nur 12,00 EUR ist übrig mit 21,5 % MwSt.')
  expect(said('Only 3048.49 EUR is due')).toBe('Nur 3.048,49 EUR ist offen')
  expect(said('Only 0.10 EUR is due')).toBe('Nur 0,10 EUR ist offen')
  expect(said('Only 1234567 JPY is due')).toBe('Nur 1.234.567 JPY ist offen')
  expect(said('This quote became the invoice 2026.12-1 already.')).toContain('2026.12-1')
  expect(said('The customer’s postal code is missing')).toBe('In der Adresse des Kunden fehlt: Postleitzahl')
  const units = ['AAA', 'BBB'].map((unit) => `The unit ${unit} is in no list of units: choose another`)
  expect(said(`It could not be issued and waits as a draft: ${[...units, 'Enter a due date'].join(' · ')}`)).toBe(
    `Sie konnte nicht ausgestellt werden und wartet als Entwurf: ${[...units, 'Enter a due date'].map(said).join(' · ')}`,
  )
  expect(said('Nobody translated this')).toBe('Nobody translated this')
})

test('what a form says of too many rows is in plain words, and has its German', () => {
  learn({ ...germanSayings, ...appSayings }, ['de-DE'])
  const vat = { category: 'S', rate: '19' }
  const many = (count: number) => Array.from({ length: count }, () => ({ amount: '1', vat }))
  const lines = [{ name: 'a', quantity: '1', unitPrice: '1', vat, allowances: many(21), charges: many(21) }]
  const errors = asFieldErrors(invoiceEdit, { lines, allowances: many(51), charges: many(51) })
  expect(errors.map(({ detail }) => detail)).toEqual([
    'Höchstens 20 Rabatte in einer Zeile',
    'Höchstens 20 Zuschläge in einer Zeile',
    'Höchstens 50 Rabatte',
    'Höchstens 50 Zuschläge',
  ])
})

test('each language has its manifest, the same but for its words', () => {
  const manifestOf = (name: string) => JSON.parse(fs.readFileSync(path.join(root, 'public', name), 'utf8'))
  const [inEnglish, inGerman] = [manifestOf('manifest.webmanifest'), manifestOf('manifest.de.webmanifest')]
  const words = /^(lang|description|label|name)$/
  const without = (manifest: unknown) => JSON.stringify(manifest, (key, value) => (words.test(key) ? '' : value))
  expect(without(inGerman)).toBe(without(inEnglish))
  expect([inGerman.lang, inGerman.name]).toEqual(['de', inEnglish.name])
  const named = ({ shortcuts }: { shortcuts: { name: string }[] }) => shortcuts.map(({ name }) => name)
  expect(named(inGerman)).toEqual(['Neue Rechnung', appGerman.invoices.title, 'Neuer Kunde'])
})

/** Words that are the same in both languages. */
const same =
  /^(Name|Passkeys|Docket|Start|PDF|XML|IBAN|BIC|A4|Letter|Link|Person|Region|Position|Organisation|Status|EN 16931.*|Peppol.*|Export|Import|Minute|in|.*\.(pdf|xml|json)|Meter|Text)$/

/** Every word of a catalogue by its place; functions are called with what their words are told apart by. */
function leaves(value: unknown, place: string, seen: Map<string, string>): Map<string, string> {
  if (typeof value === 'string') seen.set(place, value)
  else if (typeof value === 'function') {
    // Some ask for numbers, some for text: both can be shown.
    for (const count of [1, 2]) seen.set(`${place}(${count})`, String(value(count, count, null, count)))
  } else for (const [key, each] of Object.entries(value as object)) leaves(each, `${place}.${key}`, seen)
  return seen
}

test('nothing was left in English, and nothing is empty', () => {
  const pairs = [
    [english, german],
    [
      {
        ...appEnglish,
        recurring: { ...appEnglish.recurring, rule: '' },
        invoices: { ...appEnglish.invoices, removeAdjustment: '' },
      },
      {
        ...appGerman,
        recurring: { ...appGerman.recurring, rule: '' },
        invoices: { ...appGerman.invoices, removeAdjustment: '' },
      },
    ],
    [importWords.en, importWords.de],
    [wordsOf('en'), wordsOf('de')],
  ] as const
  for (const [ours, theirs] of pairs) {
    const [from, to] = [leaves(ours, '', new Map()), leaves(theirs, '', new Map())]
    expect([...to.keys()].toSorted()).toEqual([...from.keys()].toSorted())
    const left = [...to].filter(([place, word]) => {
      const isLong = /\p{L}{3,} \p{L}{3,}/u.test(word)
      return isLong && from.get(place) === word && !same.test(word)
    })
    expect(left).toEqual([])
    expect([...to].filter(([place, word]) => word.trim() === '' && from.get(place)?.trim() !== '')).toEqual([])
  }
})

describe('the language', () => {
  test.each([
    ['de', 'de'],
    ['de-AT,en;q=0.5', 'de'],
    ['fr-BE, fr;q=0.9, DE;q=0.8, en;q=0.7', 'de'],
    ['en;q=0.3, de;q=0.9', 'de'],
    ['de;q=0, en', 'en'],
    ['nl-BE', 'en'],
    ['den', 'en'],
    ['*', 'en'],
    [';;,q=,', 'en'],
    [null, 'en'],
  ])('of Accept-Language %s is %s', (header, expected) => expect(acceptedLanguage(header)).toBe(expected))

  test('of several tags is the first that is spoken here', () => {
    expect(languageOf(['fr', 'de-CH', 'en'])).toBe('de')
    expect(languageOf([])).toBe('en')
  })

  test('of a document is how its numbers and dates are written, in the seller’s kind of it', () => {
    const written = (language: 'en' | 'de', locale: string) => {
      const as = documentLocale(language, locale)
      return [formatMoney({ amount: '1234.50', currency: 'EUR' }, as), formatDate('2026-11-05', as)].map((text) =>
        text.replaceAll('\u00a0', ' '),
      )
    }
    expect(written('de', 'de-DE')).toEqual(['1.234,50 €', '05.11.2026'])
    expect(written('en', 'en-GB')).toEqual(['€1,234.50', '5 Nov 2026'])
    expect(written('de', 'en-GB')).toEqual(['1.234,50 €', '05.11.2026'])
    expect(written('en', 'de-DE')).toEqual(['€1,234.50', '5 Nov 2026'])
  })
})

/** The files that a page's file imports outright, and theirs; what is imported on demand comes when its screen stands. */
function importedBy(file: string, found = new Set<string>()): Set<string> {
  const source = fs.readFileSync(path.join(root, file), 'utf8')
  for (const [, name] of source.matchAll(/^(?:import|export)\s(?!type\b)[^'"]*?from '((?:#page|\.\.?)\/[^']+)'/gm)) {
    const target = name!.startsWith('#page/')
      ? `src/page/${name!.slice('#page/'.length)}`
      : path.join(path.dirname(file), name!)
    if (found.has(target) || !fs.existsSync(path.join(root, target))) continue
    found.add(target)
    importedBy(target, found)
  }
  return found
}

test('every screen whose words are those of who is signed in waits for them', () => {
  const guarded = (file: string) =>
    /\/(_authed|account)[./]/.test(file) || fs.readFileSync(path.join(root, file), 'utf8').includes('openAppWords')
  const routes = filesIn('src/page/routes', /\.tsx$/)
  const wanting = routes.filter((file) => {
    if (guarded(file)) return false
    // The loader of the words names it to fill it.
    return [...importedBy(file)].some(
      (each) =>
        each !== 'src/page/words/language.ts' &&
        fs.readFileSync(path.join(root, each), 'utf8').includes("/app-text.ts'"),
    )
  })
  expect(wanting).toEqual([])
  expect(routes.filter((file) => /\/(_authed|account)\.tsx$/.test(file)).every(guarded)).toBe(true)
})
