// Draws the icons of public/icons from one mark. Run by hand when the mark changes: `node tools/icons.ts`.
import fs from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { browserOptions } from './browser.ts'
import { root } from './sources.ts'

const paper = 'M6 3h20v26l-3.3-2.4L19.3 29 16 26.6 12.7 29l-3.4-2.4L6 29z'
const lines = 'M10.5 9h11v2.4h-11zM10.5 14h11v2.4h-11zM10.5 19h6v2.4h-6z'

/** `inset`: how far the mark stands in from the edge; a maskable icon keeps the outer fifth free. */
function mark({
  background,
  fill,
  detail,
  inset,
  round,
}: {
  background: string
  fill: string
  detail: string
  inset: number
  round: number
}): string {
  const scale = (32 - 2 * inset) / 32
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="${round}" fill="${background}"/>
<g transform="translate(${inset} ${inset}) scale(${scale})"><path fill="${fill}" d="${paper}"/><path fill="${detail}" d="${lines}"/></g></svg>\n`
}

const folder = path.join(root, 'public/icons')
const colours = { background: '#0b0f14', fill: '#2dd4bf', detail: '#0b0f14' }
const plain = mark({ ...colours, inset: 4, round: 7 })
const maskable = mark({ ...colours, inset: 7.5, round: 0 })
const monochrome = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g transform="translate(6 6) scale(0.625)"><path fill="#fff" fill-rule="evenodd" d="${paper}${lines}"/></g></svg>\n`

fs.mkdirSync(folder, { recursive: true })
fs.writeFileSync(path.join(folder, 'icon.svg'), plain)
const browser = await chromium.launch(browserOptions())
const drawings: [string, string, number][] = [
  ['icon-192.png', plain, 192],
  ['icon-512.png', plain, 512],
  ['maskable-192.png', maskable, 192],
  ['maskable-512.png', maskable, 512],
  ['monochrome-512.png', monochrome, 512],
]
for (const [name, svg, size] of drawings) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`)
  await page.screenshot({ path: path.join(folder, name), omitBackground: true })
  await page.close()
}
await browser.close()
