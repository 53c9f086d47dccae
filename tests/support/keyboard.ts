// A person without a mouse: no focus that a key does not reach.
import type { Locator, Page } from '@playwright/test'
import { expect } from './browser.ts'

const mostTabs = 60

/** As a person does who sees where the focus is: forward, or back where it lies before. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  const isBefore = await target.evaluate(
    (element) => !!(element.compareDocumentPosition(document.activeElement!) & Node.DOCUMENT_POSITION_FOLLOWING),
  )
  for (let tabs = 0; tabs < mostTabs; tabs += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(isBefore ? 'Shift+Tab' : 'Tab')
  }
  throw new Error(`${String(target)} was not reached by Tab`)
}

/** In the place of what stands there. */
export async function typeInto(page: Page, target: Locator, typed: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(typed)
}

/** In the menu that is open. */
export async function choose(page: Page, name: string): Promise<void> {
  const target = page.getByRole('menuitem', { name, exact: true })
  await expect(target).toBeVisible()
  for (let rows = 0; rows < mostTabs; rows += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`${name} was not reached by arrows`)
}
