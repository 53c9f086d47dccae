// What the seed says of the screens (sections 1, 2 and 8), seen in a browser.
import fs from 'node:fs'
import { expect, go, mailedLink, makeOrganization, registerOnly, signUp, test } from '#tests/support/browser.ts'
import { chunkNote } from '#tools/sources.ts'

test('dark unless chosen otherwise, toasts at the top centre', async ({ page, docket }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  // Looked for at once: it goes after four seconds, whichever screen is on its way by then.
  await page.goto(await mailedLink(docket, await registerOnly(page)))
  const toast = page.getByText('Email verified')
  await expect(toast).toBeVisible()
  await expect(page.locator('[data-sonner-toaster]')).toHaveAttribute('data-y-position', 'top')
  await expect(page.locator('[data-sonner-toaster]')).toHaveAttribute('data-x-position', 'center')
  await expect(page.locator('[data-sonner-toast]').first()).toHaveAttribute('data-rich-colors', 'true')
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const brightness = async () =>
    (await background())
      .match(/\d+/g)!
      .slice(0, 3)
      .map(Number)
      .reduce((a, b) => a + b)
  expect(await brightness()).toBeLessThan(150)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Light' }).click()
  await page.reload()
  expect(await brightness()).toBeGreaterThan(600)
})

test('the verify-email screen says what the seed says', async ({ page, docket }) => {
  const email = await registerOnly(page)
  await expect(page).toHaveURL(/\/verify-email\?verificationToken=/)
  for (const words of [
    'We sent a verification link to your email. Click the link to finish setting up your account.',
    /minute.*spam or promotions/i,
    /expired.*account settings/i,
  ])
    await expect(page.getByText(words)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open mail app' })).toHaveAttribute('href', 'mailto:')
  const first = await mailedLink(docket, email)
  // One mail a minute: the registration's own was the first. Nothing is lost by asking too soon.
  await page.getByRole('button', { name: 'Resend link' }).click()
  await expect(page.getByText(/Too many tries/)).toBeVisible()
  await page.goto(first)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('verify-email sends who is ACTIVE to the dashboard', async ({ page, docket }) => {
  await signUp(page, docket)
  await page.goto('/verify-email')
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a verification that fails is logged; without a token there is only a note, and no call', async ({
  page,
  network,
}) => {
  const printed: string[] = []
  page.on('console', (message) => printed.push(`${message.type()} ${message.text()}`))
  await registerOnly(page)
  await expect.poll(() => printed.some((line) => /^log .*verification token/i.test(line))).toBe(true)
  expect(network.passed.filter(({ path }) => path.includes('verify-email'))).toEqual([])
  await page.goto('/verify-email?verificationToken=v_nonsense')
  await expect(page.getByText('Failed to verify email')).toBeVisible()
  expect(printed.some((line) => line.startsWith('error Failed to verify email'))).toBe(true)
  expect(printed.join('\n')).not.toContain('v_nonsense')
})

test('the scroll position is restored, and links preload on intent', async ({ page, docket }) => {
  await signUp(page, docket)
  await makeOrganization(page)
  await page.setViewportSize({ width: 1200, height: 500 })
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 700))
  await page.waitForTimeout(300)
  const chunks = JSON.parse(fs.readFileSync(chunkNote, 'utf8')) as Record<string, { file: string }>
  const [, { file }] = Object.entries(chunks).find(([name]) => name.includes('/_authed/customers/index.tsx?'))!
  const preloaded = page.waitForRequest((request) => request.url().endsWith(file))
  await page.getByRole('navigation').getByRole('link', { name: 'Customers' }).hover()
  await preloaded
  await expect(page).toHaveURL(/settings/)
  await go(page, 'Customers')
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(700)
})
