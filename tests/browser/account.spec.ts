// Account care: forgotten and changed passwords, email, passkeys, devices, a copy of the data, the end of it; too many tries; a look offline.
import fs from 'node:fs'
import type { Browser, Locator, Page } from '@playwright/test'
import { uuidv7 } from '#shared/ids.ts'
import { problemMediaType } from '#shared/problem-form.ts'
import { problem } from '#shared/problem.ts'
import {
  controlled,
  type Docket,
  expect,
  mailedLink,
  paintCache,
  password,
  registerAndVerify,
  registerOnly,
  signUp,
  test,
} from '#tests/support/browser.ts'
import { look } from '#tests/support/look.ts'
import { limitedSeconds } from '#tests/support/network.ts'
import { askAgain } from '#tests/support/session-faults.ts'

const newPassword = 'battery staple'

/** A device of its own. */
async function device(browser: Browser, docket: Docket, userAgent?: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: docket.network.url, ...(userAgent && { userAgent }) })
  return context.newPage()
}

async function signIn(page: Page, email: string, secret = password): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** What a device sees whose session was ended from elsewhere. */
async function isSignedOut(page: Page): Promise<void> {
  // In the page that is there: it may have heard already, and what it says of it is gone with a reload.
  await askAgain(page)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText('You were signed out on this device.')).toBeVisible()
}

async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function addPasskey(page: Page): Promise<void> {
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByLabel('Your password').fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Passkey added')).toBeVisible()
}

test('a forgotten password: one link, once; every session of before ends, this device is signed in', async ({
  page,
  docket,
  browser,
}) => {
  const email = await signUp(page, docket)
  const here = await device(browser, docket)
  const printed: string[] = []
  here.on('console', (message) => printed.push(message.text()))
  const otherTab = await here.context().newPage()
  await otherTab.goto('/login')
  await here.goto('/login')
  await here.getByLabel('Email').fill(email)
  await here.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(here.getByLabel('Email')).toHaveValue(email)
  await expect(here).toHaveTitle(/Forgot your password/)
  await here.getByRole('button', { name: 'Send link' }).click()
  await expect(here.getByText(`If there is an account for ${email}, a link is on its way.`)).toBeVisible()
  await expect(here.getByText(/You can ask for another link in/)).toBeVisible()
  await expect(here.getByRole('button', { name: 'Send again' })).toBeDisabled()

  // The registration's own mail was less than a minute ago: this one goes out when that is over.
  await docket.passMinute(here)
  const link = await mailedLink(docket, email, 'reset')
  await here.goto(link)
  await expect(here.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await expect(here).toHaveURL(/\/reset-password$/)
  const field = here.getByLabel('New password')
  await expect(field).toHaveAttribute('autocomplete', 'new-password')
  await field.fill('short')
  await here.getByRole('button', { name: 'Set password' }).click()
  await expect(here.getByText('At least 8 characters').first()).toBeVisible()
  await expect(field).toBeFocused()
  await field.fill(newPassword)
  await expect(field).toHaveAttribute('type', 'password')
  await here.getByRole('button', { name: 'Show what is typed' }).click()
  await expect(field).toHaveAttribute('type', 'text')
  await here.getByRole('button', { name: 'Set password' }).click()
  await expect(here).toHaveURL(/\/dashboard$/)
  await expect(here.getByText('Your password is changed. Every other device was signed out.')).toBeVisible()
  await expect(otherTab).toHaveURL(/\/dashboard$/)
  await isSignedOut(page)

  const late = await device(browser, docket)
  await late.goto(link)
  await late.getByLabel('New password').fill('yet another one')
  await late.getByRole('button', { name: 'Set password' }).click()
  await expect(late.getByRole('heading', { name: 'This link is no longer good' })).toBeVisible()
  await expect(late.getByRole('link', { name: 'Send a new link' })).toBeVisible()
  await signIn(late, email)
  await expect(late.getByText('Email or password is wrong.')).toBeVisible()
  await late.getByLabel('Password').fill(newPassword)
  await late.getByRole('button', { name: 'Sign in' }).click()
  await expect(late).toHaveURL(/\/dashboard$/)
  expect(printed.join('\n')).not.toMatch(/p_[\w-]{10}/)
  expect(docket.server.output()).not.toMatch(/p_[\w-]{20}/)
  for (const each of [here, late]) await each.context().close()
})

test('changing the email wants both links, on any device', async ({ page, docket, browser }) => {
  const email = await signUp(page, docket)
  const next = `${uuidv7()}@example.com`
  await page.goto('/account')
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Change email' })).toBeFocused()
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByLabel('New email').fill(next)
  await page.getByLabel('Your password').fill('wrong')
  await page.getByRole('button', { name: 'Send links' }).click()
  await expect(page.getByLabel('Your password')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Your password')).toBeFocused()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Send links' }).click()
  await expect(page.getByText(/You can ask for another link in/)).toBeVisible()
  await expect(page.getByText(/Too many tries/)).toHaveCount(0)
  await docket.passMinute(page)
  await expect(page.getByText('You can try again now.')).toBeVisible()
  await expect(page.getByLabel('New email')).toHaveValue(next)
  await page.getByRole('button', { name: 'Send links' }).click()
  await expect(page.getByText(`Your email is about to become ${next}.`)).toBeVisible()
  await expect(page.getByText('Not opened yet')).toHaveCount(2)

  const elsewhere = await device(browser, docket)
  await elsewhere.goto(await mailedLink(docket, next, 'confirm'))
  await expect(elsewhere.getByRole('heading', { name: 'One more link to open' })).toBeVisible()
  await expect(elsewhere).toHaveURL(/\/confirm-email$/)
  await page.reload()
  await expect(page.getByText('Not opened yet')).toHaveCount(1)
  await elsewhere.goto(await mailedLink(docket, email, 'confirm'))
  await expect(elsewhere.getByRole('heading', { name: 'Email changed' })).toBeVisible()
  await expect(elsewhere.getByText(`Your account now uses ${next}.`)).toBeVisible()
  await page.reload()
  await expect(page.getByText('Not opened yet')).toHaveCount(0)
  await expect(page.getByText(next, { exact: true })).toBeVisible()
  await elsewhere.goto('/confirm-email?confirmToken=e_never')
  await expect(elsewhere.getByRole('heading', { name: 'This link is no longer good' })).toBeVisible()
  await signIn(elsewhere, next)
  await expect(elsewhere).toHaveURL(/\/dashboard$/)
  await elsewhere.context().close()
})

/** A machine that stands for seconds is taken for a network that does, and the form says so: then it is pressed again, as a person would. */
async function pressUntil(button: Locator, said: Locator): Promise<void> {
  await expect(async () => {
    await button.click()
    await expect(said.or(button.page().getByText(/^No connection/)).first()).toBeVisible()
    await expect(said).toBeVisible({ timeout: 100 })
  }).toPass()
}

test('who is not verified yet renews the link in the account, and mends a mistyped address', async ({
  page,
  docket,
}) => {
  await registerOnly(page)
  await page.goto('/account')
  await expect(page.getByText('Not verified yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign out' })).toHaveCount(1)
  const resend = page.getByRole('button', { name: 'Resend link' })
  await pressUntil(resend, page.getByText(/Too many tries/))
  await expect(resend).toBeDisabled()
  const right = `${uuidv7()}@example.com`
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByLabel('New email').fill(right)
  await page.getByLabel('Your password').fill(password)
  const send = page.getByRole('button', { name: 'Change and send link' })
  // The registration's own mail was less than a minute ago.
  await pressUntil(send, page.locator('form').filter({ has: send }).getByRole('status'))
  await expect(send).toBeDisabled()
  await docket.passMinute(page)
  await expect(send).toBeEnabled()
  await expect(page.getByLabel('New email')).toHaveValue(right)
  await pressUntil(send, page.getByText(`A link is on its way to ${right}.`))
  await page.goto(await mailedLink(docket, right))
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('changing name and password; other devices are signed out, the list of devices is true', async ({
  page,
  docket,
  browser,
}) => {
  const email = await signUp(page, docket)
  await page.goto('/account')
  await page.getByLabel('Name').fill('')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Enter your name').first()).toBeVisible()
  await page.getByLabel('Name').fill('Ann B. Works')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Name synced')).toBeVisible()

  const android =
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36'
  const phone = await device(browser, docket, android)
  await signIn(phone, email)
  await expect(phone).toHaveURL(/\/dashboard$/)
  const tablet = await device(browser, docket)
  await signIn(tablet, email)
  await expect(tablet).toHaveURL(/\/dashboard$/)

  await page.getByRole('link', { name: 'Security' }).click()
  const list = page.getByRole('list', { name: 'Devices' })
  await expect(list.getByRole('listitem')).toHaveCount(3)
  await expect(list.getByRole('listitem').first()).toContainText('This device')
  await expect(list.locator('time').first()).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT/)
  await expect(page.getByRole('button', { name: 'Sign out' })).toHaveCount(1)
  await page.getByRole('button', { name: 'End session on Chrome on Android' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await isSignedOut(phone)

  await page.getByLabel('Current password').fill('not mine')
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByLabel('Current password')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('New password')).toHaveValue(newPassword)
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed.', { exact: false })).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await isSignedOut(tablet)

  await signIn(tablet, email, newPassword)
  await expect(tablet).toHaveURL(/\/dashboard$/)
  await page.reload()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await look(page, 'end all other sessions')
  await page.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }).click()
  await expect(page.getByText('One session ended')).toBeVisible()
  await expect(page.getByText('You are signed in nowhere else.')).toBeVisible()
  await isSignedOut(tablet)
  for (const each of [phone, tablet]) await each.context().close()
})

test('a passkey: added with the password, signs in without it, is removed', async ({ page, docket, complaints }) => {
  await signUp(page, docket)
  await addAuthenticator(page)
  await addPasskey(page)
  const list = page.getByRole('list', { name: 'Passkeys' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list).toContainText('not used yet')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText('You were signed out on this device.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Continue with a passkey' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/account/security')
  await expect(list).toContainText('last used')
  await list.getByRole('button', { name: /^Remove passkey/ }).click()
  await look(page, 'remove a passkey')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('You have no passkey yet.')).toBeVisible()
  // What was asked at the moment of signing out is refused on the device; nothing else is wrong, and the policy is kept.
  expect(complaints.filter((each) => !/status of 401/.test(each))).toEqual([])
  await page.getByRole('button', { name: 'Sign out' }).click()
  // The device still offers it; nobody knows it here.
  await page.getByRole('button', { name: 'Continue with a passkey' }).click()
  await expect(page.getByText(/This passkey opens no account here/)).toBeVisible()
})

test.describe('without a worker', () => {
  test.use({ serviceWorkers: 'block' })
  test('a passkey button that is pressed before the script is there is heard all the same', async ({
    page,
    docket,
    network,
  }) => {
    await registerAndVerify(page, docket)
    await addAuthenticator(page)
    await addPasskey(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    // The files come from the network, which holds the script back.
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    network.before = async (request) => {
      if (request.url?.startsWith('/assets/') && request.url.endsWith('.js')) await held
      return undefined
    }
    await page.goto('/login', { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Continue with a passkey' }).click({ noWaitAfter: true })
    await expect(page).toHaveURL(/\/login\?with=passkey$/)
    release()
    await expect(page).toHaveURL(/\/dashboard$/)
  })
})

test('where there are no passkeys a sentence says so', async ({ page, docket }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  await signUp(page, docket)
  await page.goto('/account/security')
  await expect(page.getByText(/This browser cannot use passkeys/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue with a passkey' })).toHaveCount(0)
})

test('a copy of my data is a file that says who I am and holds no secret', async ({ page, docket }) => {
  const email = await signUp(page, docket, { organization: 'Ann Works' })
  await page.goto('/account/data')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^docket-account-\d{4}-\d\d-\d\d\.json$/)
  const text = fs.readFileSync(await download.path(), 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    account: { email, name: 'Ann Works' },
    organizations: [{ name: 'Ann Works', role: 'owner' }],
    sessions: [{ current: true }],
  })
  for (const secret of [/eyJ[\w-]+\.[\w-]+/, /argon2/i, /hash/i, /\b[rvpe]_[\w-]{20,}/])
    expect(text).not.toMatch(secret)
})

test('deleting the organization, then the account: each says what happens, and nothing of it opens again', async ({
  page,
  docket,
}) => {
  // Two spaces, of which one is shown.
  const email = await signUp(page, docket, { organization: 'Über  Werk' })
  const organization = page.url()
  await page.goto('/account/data')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/erased after 30 days/)).toBeVisible()
  await dialog.getByLabel('Your password').fill('wrong')
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(dialog.getByLabel('Your password')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(dialog.getByText(/You are the only owner/)).toBeVisible()
  await look(page, 'only owner')
  await dialog.getByRole('link', { name: 'Über Werk' }).click()

  await page.getByRole('button', { name: 'Delete organization' }).click()
  await dialog.getByLabel(/Type “Über +Werk”/).fill('Über')
  await dialog.getByRole('button', { name: 'Delete organization' }).click()
  await expect(dialog.getByText('Type the name exactly: Über Werk').first()).toBeVisible()
  await look(page, 'delete organization')
  await dialog.getByLabel(/Type “Über +Werk”/).fill('U\u0308ber Werk')
  await dialog.getByRole('button', { name: 'Delete organization' }).click()
  await expect(page).toHaveURL(/\/dashboard\/organizations$/)
  await expect(page.getByText('Organization closed; it is erased after 30 days')).toBeVisible()
  await expect(page.getByText('Your first organization')).toBeVisible()
  await page.goto(organization)
  await expect(page.getByRole('heading', { name: 'No longer among your organizations' })).toBeVisible()

  await page.goto('/account/data')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText(/Your account is closed/)).toBeVisible()
  await expect(page.getByText('You were signed out on this device.')).toHaveCount(0)
  expect(new URL(page.url()).search).toBe('')
  await signIn(page, email)
  await expect(page.getByText('Email or password is wrong.')).toBeVisible()
})

test('too many tries are counted down, and what was typed stays', async ({ page, network }) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill('ann@example.com')
  await page.getByLabel('Password').fill(password)
  network.before = async ({ url }) => (url === '/api/v1/auth/login' ? 'limited' : undefined)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText(/You can try again in 0:0[1-3]/)).toBeVisible()
  await expect(page.getByText(`Wait ${limitedSeconds} seconds before the next try.`)).toBeAttached()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeDisabled()
  await look(page, 'countdown')
  network.before = null
  await expect(page.getByText('You can try again now.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('ann@example.com')
  await expect(page.getByLabel('Password')).toHaveValue(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Email or password is wrong.')).toBeVisible()
  await expect(page.getByText('You can try again now.')).toHaveCount(0)
})

test('the wait belongs to the email that was tried; a minute is one minute', async ({ page, network }) => {
  for (const [screen, button, call, words] of [
    ['/login', 'Sign in', 'login', /Too many tries. You can try again in/],
    ['/forgot-password', 'Send link', 'forgot-password', /You can ask for another link in/],
  ] as const) {
    network.before = async ({ url }) =>
      url === `/api/v1/auth/${call}`
        ? (response) => {
            response.writeHead(429, { 'content-type': problemMediaType, 'x-docket': '1', 'retry-after': '60' })
            response.end(JSON.stringify(problem('too_many_requests')))
          }
        : undefined
    await page.goto(screen)
    await page.getByLabel('Email').fill('ann@example.com')
    if (call === 'login') await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(page.getByRole('button', { name: button, exact: true })).toBeDisabled()
    await expect(page.getByText(words)).toBeVisible()
    await expect(page.getByText(/^Wait (1 minute|5\d seconds) before the next try\.$/)).toBeAttached()
    if (call === 'login') {
      await page.getByLabel('Password').fill('another one')
      await expect(page.getByRole('button', { name: button, exact: true })).toBeDisabled()
    }
    await page.getByLabel('Email').fill('bob@example.com')
    await expect(page.getByRole('button', { name: button, exact: true })).toBeEnabled()
    await expect(page.getByText(/before the next try/)).toHaveCount(0)
  }
})

test('without a connection the account is there to be read, and a press says why nothing happens', async ({
  page,
  docket,
  network,
}) => {
  const email = await signUp(page, docket)
  for (const [place, query] of [
    ['/account', 'account'],
    ['/account/security', 'sessions'],
  ] as const) {
    await page.goto(place)
    await expect.poll(async () => (await paintCache(page))?.[1]).toContain(`"queryKey":["${query}"]`)
  }
  network.fault = 'down'
  await page.reload()
  await expect(page.getByRole('list', { name: 'Devices' })).toContainText('This device')
  await expect(page.getByText(/^Offline/)).toBeVisible()
  await page.getByLabel('Current password').fill(password)
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText(/No connection to the server. What you typed is still here/)).toBeVisible()
  await expect(page.getByLabel('New password')).toHaveValue(newPassword)
  await page.getByRole('link', { name: 'Profile' }).click()
  await expect(page.getByText(email)).toBeVisible()
  await page.getByRole('link', { name: 'Your data' }).click()
  await page.getByRole('button', { name: 'Download my data' }).click()
  await expect(page.getByText('No connection to the server. Try again when you are back online.')).toBeVisible()
})

test('a tab that heard nothing of the sign-out acts on it before it asks anybody', async ({
  page,
  docket,
  context,
}) => {
  await page.addInitScript(() => {
    BroadcastChannel.prototype.addEventListener = () => {}
    ServiceWorkerContainer.prototype.addEventListener = () => {}
  })
  await signUp(page, docket)
  const second = await context.newPage()
  await second.goto('/dashboard')
  await second.getByRole('button', { name: 'Sign out' }).click()
  await expect(second.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.evaluate(() => {
    window.fetch = () => new Promise(() => {})
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText('You were signed out on this device.')).toBeVisible()
})

test('an answer about the session that is older than its end does not bring it back', async ({
  page,
  docket,
  browser,
}) => {
  const email = await signUp(page, docket)
  // The gateway says at once that somebody is signed in; this tab hears it only after it was told of the end.
  await page.addInitScript(() => {
    const send = window.fetch.bind(window)
    window.fetch = async (...args) => {
      const answer = await send(...args)
      const isSession = args[0] instanceof Request && args[0].url.endsWith('/auth/session')
      if (isSession) await new Promise((resolve) => setTimeout(resolve, 1500))
      return answer
    }
  })
  await page.goto('/dashboard')
  await controlled(page)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  const other = await device(browser, docket)
  await signIn(other, email)
  await expect(other).toHaveURL(/\/dashboard$/)
  await other.goto('/account/security')
  await other.getByRole('button', { name: 'End all other sessions' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }).click()
  await expect(other.getByText('One session ended')).toBeVisible()
  await other.context().close()
  await isSignedOut(page)
  await page.waitForTimeout(2000)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})
