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
/** The least and the most room, in a theme each: what is looked at in both is looked at in both themes. */
export const phone = { size: { width: 360, height: 740 }, theme: 'dark' } as const satisfies View
export const desk = { size: { width: 1440, height: 900 }, theme: 'light' } as const satisfies View
export const phoneAndDesk = [phone, desk] as const
export const bothThemes = [{ theme: 'dark' }, { theme: 'light' }] as const satisfies View[]

/** Where the pictures go; none are made without it. */
const pictures = process.env['DOCKET_PICTURES']
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The rules of what two themes can differ in. */
const ofColours = ['color-contrast', 'link-in-text-block']

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
    expect.soft(await violations(page, rules), where).toEqual([])
  }
  await page.setViewportSize(was)
  await dress(page, theme)
}

const beyondEdge = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
const wholeHeight = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight)

async function dress(page: Page, theme: string | undefined): Promise<void> {
  if (theme) await page.evaluate((each) => void (document.documentElement.dataset['theme'] = each), theme)
}

async function violations(page: Page, rules: 'all' | 'wcag' | 'colours'): Promise<string[]> {
  // In the page itself, which has no frames: else each look opens a page of its own to put what was found in frames together.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  // A toast that is fading has no contrast to be judged by.
  axe.exclude('[data-sonner-toaster]').options({ resultTypes: ['violations'] })
  if (rules === 'wcag') axe.withTags(wcag)
  if (rules === 'colours') axe.withRules(ofColours)
  const found = await axe.analyze()
  return found.violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
