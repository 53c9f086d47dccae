// The one form in which text is searched and sorted, stored beside the row (COLLATE "C") and on the device, so both order alike (OFFLINE.md).

import { isCurrency } from './currency.ts'

/** Lower case, accents removed, single spaces: `Müller  GmbH` and `muller gmbh` have the same key. */
export function searchKey(...texts: (string | null | undefined)[]): string {
  return texts
    .filter((text) => text)
    .join(' ')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/\s+/g, ' ')
    .trim()
}

/** True when every word of the query occurs in the key, in any order, as one of its spellings. */
export function matchesSearch(key: string, query: string): boolean {
  return searchWords(query).every((spellings) => spellings.some((each) => key.includes(each)))
}

/** The order of short lists that are not paged: by the key of the name, then by id. */
export function byName(a: { name: string; id: string }, b: { name: string; id: string }): number {
  const [left, right] = [searchKey(a.name), searchKey(b.name)]
  return left === right ? (a.id < b.id ? -1 : 1) : left < right ? -1 : 1
}

/**
 * Of each word what it may be spelled as: an amount stands in a key with a point and nothing else, `1.493,82` as `1493.82`. It may be copied from where it is
 * shown: a currency's sign, its name or its code beside an amount says nothing that a key holds.
 */
export function searchWords(query: string): string[][] {
  const words = searchKey(query)
    .replace('f cfa', 'fcfa')
    .split(' ')
    .map((word) =>
      word.replace(/^[-−]?\p{L}{0,3}\p{Sc}(?=-?\d)|^[a-z]{3}-(?=[\d'’]+\.\d\d$)|(?<=\d)\p{Sc}\p{L}{0,2}$/gu, ''),
    )
    .filter(Boolean)
    .filter(
      (word, at, all) =>
        !namesCurrency(word) ||
        !(ordinary.has(word)
          ? wholeAmountAfter.test(all.slice(at + 1).join(' ')) || wholeAmountBefore.test(all.slice(0, at).join(' '))
          : [all[at - 1], all[at + 1]].some(isAmount)),
    )
  return words.map((word) => [...new Set([word, ...plainAmounts(word)])])
}

const isAmount = (word: string | undefined) => /^[-−]?\d[\d.,'’]*$/.test(word ?? '')

/** Codes that are as often what they are called: `top 10` is no money, `TOP 10.00` is. */
const ordinary = new Set('all bob cad cop cup gel mad mop pen ron rub sos top try'.split(' '))
/** With its decimals; thousands may be parted by spaces. */
const wholeAmountAfter = /^[-−]?\d[\d.,'’ ]*[.,]\d\d(?= |$)/
const wholeAmountBefore = /(?<= |^)[-−]?\d[\d.,'’]*[.,]\d\d$/

/** The code, or what Intl writes in its place: `AU$`, `$US`, `kr.`; what is less than 0 has its sign before that. */
const namesCurrency = (word: string) =>
  /^[-−]?(\p{L}{0,3}\p{Sc}\p{L}{0,2}|([din]?kr|kc|zł|fr|ft|lei|rs|fcfa|cfpf|fcfp|cg)\.?)$/u.test(word) ||
  isCurrency(word.replace(/^[-−]/, '').toUpperCase())

/**
 * Thousands are grouped by three digits, in India by two from there on, in Switzerland with an apostrophe, and always by the same mark: the other is the decimal
 * mark, of dinars with three digits after it. What has one mark before three digits may be either.
 */
function plainAmounts(word: string): string[] {
  const found = /^[-−]?(\d{1,3}([.,'’])(?:\d{2,3}\2)*\d{3}|\d+)(?:[.,](\d{1,3}))?$/.exec(word)
  if (!found) return []
  const [, whole = '', , places] = found
  const bare = whole.replace(/[.,'’]/g, '')
  return places ? [`${bare}.${places}`] : [bare, whole.replace(',', '.')]
}
