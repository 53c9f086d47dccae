// What a screen shows, looked at: usable by everybody as far as a program can tell, and a picture for a person to look at.
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './browser.ts'

interface View {
  size?: { width: number; height: number }
  theme?: 'dark' | 'light'
  /** Everything that the checker knows, its advice too. */
  strict?: boolean
}
/** The least and the most room, each in the theme that it is looked at in first. */
export const phone = { size: { width: 360, height: 740 }, theme: 'dark' } as const satisfies View
export const desk = { size: { width: 1440, height: 900 }, theme: 'light' } as const satisfies View
/** For tests that do the same on both. */
export const devices = [
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ['desk', { viewport: { width: 1440, height: 900 } }],
] as const
/** Both sizes in both themes. Those of a size stand together: the second is asked for nothing but its colours. */
export const phoneAndDesk = [phone, { ...phone, theme: 'light' }, desk, { ...desk, theme: 'dark' }] as const
export const bothThemes = [{ theme: 'dark' }, { theme: 'light' }] as const satisfies View[]

/** Where the pictures go; none are made without it. */
const pictures = process.env['DOCKET_PICTURES']
const runOnly: Record<Rules, { runOnly?: { type: 'tag' | 'rule'; values: string[] } }> = {
  all: {},
  wcag: { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } },
  // What two themes can differ in.
  colours: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
}

/**
 * Expects, in each view, no violation of WCAG 2.2 AA and nothing beyond the screen's edge: of a view that differs from the one before in its theme alone,
 * what colours can break. The page stays as it was.
 */
export async function look(page: Page, name: string, views: readonly View[] = [{}]): Promise<void> {
  const was = page.viewportSize()!
  const theme = await page.evaluate(() => document.documentElement.dataset['theme'])
  for (const [index, view] of views.entries()) {
    const size = view.size ?? was
    await page.setViewportSize(size)
    await dress(page, view.theme ?? theme)
    const where = `${name}-${size.width}-${view.theme ?? theme ?? 'plain'}`
    if (pictures)
      await page.screenshot({ path: `${pictures}/${where.replaceAll(/[^\w-]+/g, '-')}.png`, fullPage: true })
    expect.soft(await beyondEdge(page), `${where} is too wide`).toBeLessThanOrEqual(0)
    // All of it at once: what the bar at the edge covers half until it is scrolled is no target that is too small.
    await page.setViewportSize({ ...size, height: Math.max(size.height, await wholeHeight(page)) })
    const isRecoloured = index > 0 && view.size === views[index - 1]?.size
    const rules = isRecoloured ? 'colours' : view.strict ? 'all' : 'wcag'
    expect.soft(await violations(page, rules, index > 0), where).toEqual([])
  }
  await page.setViewportSize(was)
  await dress(page, theme)
}

const beyondEdge = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
const wholeHeight = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight)

async function dress(page: Page, theme: string | undefined): Promise<void> {
  if (theme) await page.evaluate((each) => void (document.documentElement.dataset['theme'] = each), theme)
}

type Rules = 'all' | 'wcag' | 'colours'

/** What the checker leaves in the page. */
interface Checker {
  run(context: object, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

async function violations(page: Page, rules: Rules, isCheckerThere: boolean): Promise<string[]> {
  // A toast that is fading has no contrast to be judged by.
  const exclude = '[data-sonner-toaster]'
  const options = { resultTypes: ['violations' as const], ...runOnly[rules] }
  // Bringing the checker in takes as long as many a look: it is done once for all of them.
  const found = isCheckerThere
    ? await page.evaluate(([context, asked]) => (globalThis as unknown as { axe: Checker }).axe.run(context, asked), [
        { exclude: [exclude] },
        options,
      ] as const)
    : // In the page itself, which has no frames: else each look opens a page of its own to put what was found in frames together.
      await new AxeBuilder({ page }).setLegacyMode().exclude(exclude).options(options).analyze()
  return found.violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
