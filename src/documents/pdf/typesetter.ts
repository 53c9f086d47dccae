// Sets text of any script: finds the font of each character, breaks lines, puts right-to-left runs in their visual order (UAX #9), and lets the
// library shape each run. The library alone knows one font and one direction.
import bidiFactory from 'bidi-js'
import type PDFDocument from 'pdfkit'
import { drawnAs, fontFor } from './fonts.ts'

export interface Style {
  size: number
  bold?: boolean
  color?: string
}

/** A line that fits; `level` is its paragraph's direction, odd for right to left. */
export interface Line {
  text: string
  levels: Uint8Array
  level: number
}

interface Run {
  text: string
  font: string
  level: number
}

const bidi = bidiFactory()
/** Latin, Greek and Cyrillic without loose marks: no letter of a word depends on another word, and what the library has shaped once it knows. */
const wordByWord = /^[\u0020-\u024f\u0370-\u0482\u048a-\u052f\u1e00-\u1eff\u2010-\u2027\u20a0-\u20bf\u2122\u2212]*$/
/** Anything else wants the whole run: any list of features asks for that. */
const shaping = (text: string) => (wordByWord.test(text) ? {} : { features: [] })
/** OpenType's name for what is mirrored: said to the library of a text that is turned around here, so that its brackets say what was written. */
export const turnedAround = 'rtlm'
/** Chinese and Japanese break between any two characters, but not before closing marks; nothing breaks at the spaces that are made for that. */
const tokens =
  /[^\S\u00a0\u2007\u202f]+|[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff][\u3001\u3002\u30fb\u30fc\uff01\uff09\uff0c\uff1a\uff1b\uff1f\u300d\u300f]*|(?:[^\s\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[\u00a0\u2007\u202f])+/gu
/** The spaces of them. */
const breaks = /[^\S\u00a0\u2007\u202f]+/
/** Thai, Lao, Burmese and Khmer are written without spaces: where a word ends only a dictionary knows. */
const withoutSpaces = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/
/** The second half of a character, or what stands on the one before. */
const goesOn = /[\udc00-\udfff]|[\p{M}\u200c\u200d]/u
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
/** Marks of direction have done their work when the levels are known; a soft hyphen is not used. */
const unseen = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/
export const lineHeight = 1.36

/** Stands for what no font has: PDF/A lets no sign of a missing glyph stand. */
const missing = '\uFFFD'

/** Whether a font has a character. */
type HasGlyph = (font: string, codePoint: number) => boolean

export function createTypesetter(pdf: PDFDocument, hasGlyph: HasGlyph = () => true) {
  const widths = new Map<string, number>()

  function runWidth({ text, font }: Pick<Run, 'text' | 'font'>, size: number): number {
    const key = `${font} ${text}`
    let width = widths.get(key)
    if (width === undefined) {
      width = pdf.font(font).fontSize(1000).widthOfString(text, shaping(text))
      widths.set(key, width)
    }
    return (width * size) / 1000
  }

  function widthOf(line: Line, { size, bold = false }: Style): number {
    return runsOf(line, bold, hasGlyph).reduce((total, run) => total + runWidth(run, size), 0)
  }

  /** How wide it must be that nothing is broken inside: the width of its widest word. */
  function unbroken(text: string, style: Style): number {
    const words = text.split(breaks).flatMap((word) => breakLines(word, Infinity, style))
    return Math.max(0, ...words.map((word) => widthOf(word, style)))
  }

  /**
   * The text in lines no wider than `width`; a word that is wider is broken where it must. Shaping is dear: a line's width is added up from its words,
   * which come again and again, and the line itself is measured where that is not far from `width` only.
   */
  function breakLines(text: string, width: number, style: Style): Line[] {
    // A letter with its accent is one character where it can be: few fonts have the accent alone.
    const composed = text.normalize()
    return composed.split('\n').flatMap((paragraph) => {
      const { levels, paragraphs } = bidi.getEmbeddingLevels(paragraph)
      const level = paragraphs[0]?.level ?? 0
      const slice = (from: number, to: number): Line => {
        const shown = paragraph.slice(from, to).trimEnd()
        return { text: shown, levels: levels.slice(from, from + shown.length), level }
      }
      const fits = (start: number, end: number) => widthOf(slice(start, end), style) <= width
      /** Most often its beginning says it: what goes on for pages is not measured whole for each of its lines. */
      const isWider = (start: number, end: number) => {
        const enough = Math.min(end, start + 400)
        return !fits(start, enough) || (enough < end && !fits(start, end))
      }
      const lines: Line[] = []
      let from = 0
      let added = 0
      for (const { token, index } of tokensOf(paragraph)) {
        const end = index + token.length
        const own = widthOf({ text: token, levels: levels.slice(index, end), level }, style)
        added += own
        // Space at the end of a line takes no room.
        if (token.trim() === '' || added <= width * 0.98 || (added <= width * 1.02 && fits(from, end))) continue
        if (index > from) lines.push(slice(from, index))
        from = index
        added = own
        let piece = 40
        while (isWider(from, end)) {
          let to = Math.min(from + piece, end)
          while (to > from + 1 && !fits(from, to)) to -= 1
          while (to < end && fits(from, to + 1)) to += 1
          while (goesOn.test(paragraph[to] ?? '') && to - from > 1) to -= 1
          if (to >= end) break
          lines.push(slice(from, to))
          piece = to - from
          from = to
        }
        if (from > index) added = widthOf(slice(from, end), style)
      }
      if (from < paragraph.length || lines.length === 0) lines.push(slice(from, paragraph.length))
      return lines
    })
  }

  /** Draws one line with its baseline at `y`; from its start, a right-to-left paragraph stands on the right. */
  function drawLine(
    line: Line,
    box: { x: number; width: number },
    y: number,
    style: Style,
    align: 'start' | 'left' | 'right',
  ): void {
    const { size, bold = false, color = '#111827' } = style
    const toRight = align === 'right' || (align === 'start' && line.level % 2 === 1)
    let x = toRight ? box.x + box.width - widthOf(line, style) : box.x
    for (const run of inVisualOrder(runsOf(line, bold, hasGlyph))) {
      const { text, ...order } = inOrderOfLibrary(run)
      // Measuring sets another size.
      const textWidth = runWidth(run, size)
      pdf.font(run.font).fontSize(size).fillColor(color)
      pdf.text(text, x, y, { lineBreak: false, baseline: 'alphabetic', textWidth, ...shaping(text), ...order })
      x += textWidth
    }
  }

  return { breakLines, drawLine, unbroken, widthOf }
}

/** What a line may not be broken within, and the spaces between. */
function* tokensOf(paragraph: string): Generator<{ token: string; index: number }> {
  for (const { 0: token, index } of paragraph.matchAll(tokens)) {
    if (!withoutSpaces.test(token)) yield { token, index }
    else
      for (const word of new Intl.Segmenter('th', { granularity: 'word' }).segment(token))
        yield { token: word.segment, index: index + word.index }
  }
}

/** Stretches of one font and one direction, in logical order. A mark stays with the letter it stands on. */
function runsOf({ text, levels }: Line, bold: boolean, hasGlyph: HasGlyph): Run[] {
  const runs: Run[] = []
  const add = (shown: string, font: string, level: number) => {
    const last = runs.at(-1)
    if (last?.font === font && last.level === level) last.text += shown
    else runs.push({ text: shown, font, level })
  }
  let at = 0
  for (const character of text) {
    const level = levels[at] ?? 0
    at += character.length
    if (unseen.test(character)) continue
    const last = runs.at(-1)
    const joins = /\p{M}|\u200c|\u200d/u.test(character) && last !== undefined
    if (joins) {
      if (hasGlyph(last.font, character.codePointAt(0)!)) add(character, last.font, level)
      continue
    }
    for (const drawn of drawnAs(character)) {
      const font = fontFor(drawn.codePointAt(0)!, bold)
      if (hasGlyph(font, drawn.codePointAt(0)!)) add(drawn, font, level)
      else add(missing, fontFor(missing.codePointAt(0)!, bold), level)
    }
  }
  return runs
}

/** Rule L2: from the highest level down to the lowest odd one, turn every stretch of that level or higher around. */
function inVisualOrder(runs: Run[]): Run[] {
  const ordered = [...runs]
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  for (let level = highest; level >= 1; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      if (ordered[start]!.level < level) continue
      let end = start
      while (end < ordered.length && ordered[end]!.level >= level) end += 1
      ordered.splice(start, end - start, ...ordered.slice(start, end).toReversed())
      start = end
    }
  }
  return ordered
}

/** The library turns what is of a right-to-left script around, and nothing else: so do we with the rest of such a run, and with Arabic digits. */
function inOrderOfLibrary({ text, level }: Run): { text: string; features?: readonly string[] } {
  const turnsItself = rightToLeft.test(text)
  if (level % 2 === 0) return { text: turnsItself ? Array.from(text).toReversed().join('') : text }
  return turnsItself ? { text } : { text: Array.from(text, mirrored).toReversed().join(''), features: [turnedAround] }
}

/** The bracket of the other side, and anything else as it is. */
export function mirrored(character: string): string {
  return bidi.getMirroredCharacter(character) ?? character
}
