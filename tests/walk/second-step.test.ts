/**
 * Signing in with a second factor, in a real browser: an app, a recovery code, a passkey; sessions; a forgotten
 * password.
 */

import { type TOTP, URI } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openTenant } from '../harness/tenant.ts'
import { until } from '../harness/until.ts'
import { accessibilityFaults, openBrowser, person, signIn } from './browser.ts'

let product: SharedProduct
let browser: Browser
let page: Page
let app: TOTP
let recoveryCodes: string[]

beforeAll(async () => {
  ;[product, browser] = await Promise.all([openTenant('second-step'), openBrowser()])
  // Passkeys are bound to a domain name, which an IP address is not.
  product = { ...product, url: product.url.replace('127.0.0.1', 'localhost') }
  page = await person(browser)
})
afterAll(async () => {
  await browser?.close()
})

const said = (text: string) => page.getByText(text, { exact: true }).first().waitFor()
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const profile = () => page.goto(`${product.url}/user/userManagement/userInformation`)

async function signOut() {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await said('Logout success! See you!')
}

/** The first step, up to the page that asks for the second. */
async function firstStep() {
  await page.goto(`${product.url}/user/login`)
  await page.getByLabel('Account or e-mail').fill(product.accounts.customer)
  await page.getByLabel('Password', { exact: true }).fill(product.accounts.password)
  await press('Sign in')
  await page.waitForURL('**/user/login/verifyAccount')
}

test('the first page marks missing fields, focuses the first one, and keeps typed input after a refusal', async () => {
  await page.goto(`${product.url}/user/login`)
  const account = page.getByLabel('Account or e-mail')
  const password = page.getByLabel('Password', { exact: true })
  // A field that is left empty is marked at once, one that never had focus is not.
  await account.focus()
  await page.keyboard.press('Tab')
  await said('Required')
  expect(await password.getAttribute('aria-invalid')).toBeNull()
  await account.fill(product.accounts.customer)
  await until('the fault to go with the text', async () => (await account.getAttribute('aria-invalid')) === null)
  await press('Sign in')
  await said('Required')
  await until('the first wrong field to be the one at hand', () =>
    password.evaluate((one) => one === document.activeElement),
  )
  await password.fill('wrong-pass-1')
  await press('Sign in')
  await page.getByRole('alert').waitFor()
  expect(await account.inputValue()).toBe(product.accounts.customer)
  expect(await password.inputValue()).toBe('wrong-pass-1')
  expect(await accessibilityFaults(page)).toEqual([])
})

test('a person sets up an authenticator app with its QR code or its key, and keeps the recovery codes', async () => {
  await signIn(page, product, 'user')
  await profile()
  await press('Set up')
  await page.getByLabel('Current password').fill('wrong-pass-1')
  await press('Next')
  await said('Wrong password')
  await page.getByLabel('Current password').fill(product.accounts.password)
  await press('Next')
  await page.getByRole('img', { name: 'QR code for the set-up' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  const secret = await page.getByRole('dialog').locator('code').textContent()
  app = URI.parse(`otpauth://totp/x?secret=${secret}`) as TOTP
  await page.getByRole('textbox', { name: 'Six-digit code from the app' }).fill('000000')
  await press('Finish')
  await said('Code is wrong or has expired')
  // The code of the previous time step is valid too, and leaves the current one for signing in. It is valid until the
  // current step ends.
  await until('a step that has just begun', async () => Date.now() % 30_000 < 20_000)
  await page
    .getByRole('textbox', { name: 'Six-digit code from the app' })
    .fill(app.generate({ timestamp: Date.now() - 30_000 }))
  await press('Finish')
  await page.getByRole('button', { name: 'I have saved them' }).waitFor()
  recoveryCodes = await page.getByRole('dialog').getByRole('listitem').filter({ hasText: '-' }).allTextContents()
  expect(recoveryCodes).toHaveLength(10)
  await press('I have saved them')
  await said('Enabled')
  await said('10 left')
})

test('the app is required at the next sign-in; without a first step there is nothing to verify', async () => {
  await signOut()
  await page.goto(`${product.url}/user/verifyAccount`)
  await page.waitForURL('**/user/login')
  await firstStep()
  await said('Enter the six-digit code from your authenticator app.')
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(app.generate())
  // It is shown for some seconds only.
  await Promise.all([said('Login Success! Welcome!'), press('Verify')])
  await page.waitForURL('**/user/dashboard')
})

test('a recovery code works once', async () => {
  const [code] = recoveryCodes as [string]
  for (const opens of [true, false]) {
    await signOut()
    await firstStep()
    await press('Use a recovery code')
    await page.getByLabel('Recovery code', { exact: true }).fill(code)
    await press('Verify')
    if (opens) await page.waitForURL('**/user/dashboard')
    else await page.getByRole('alert').waitFor()
  }
  await press('Use a code instead')
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(app.generate({ timestamp: Date.now() + 30_000 }))
  await press('Verify')
  await page.waitForURL('**/user/dashboard')
})

test('a passkey is added under a name, opens the account, and is removed', async () => {
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
  await profile()
  await press('Add a passkey')
  await page.getByLabel('Current password').fill(product.accounts.password)
  await press('Next')
  await page.getByLabel('Name', { exact: true }).fill('Test bench')
  await press('Continue')
  await said('Passkey added')
  await said('Test bench')
  await signOut()
  await firstStep()
  await press('Use a passkey')
  await page.waitForURL('**/user/dashboard')
  await profile()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Test bench' })
    .getByRole('button', { name: 'Remove' })
    .last()
    .click()
  await page.getByLabel('Current password').fill(product.accounts.password)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await said('Passkey removed')
})

test('sessions are listed with their device, and all others end with one click', async () => {
  const other = await person(browser)
  await other.goto(`${product.url}/user/login`)
  await other.getByLabel('Account or e-mail').fill(product.accounts.customer)
  await other.getByLabel('Password', { exact: true }).fill(product.accounts.password)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByRole('button', { name: 'Use a recovery code' }).click()
  await other.getByLabel('Recovery code', { exact: true }).fill(recoveryCodes[1]!)
  await other.getByRole('button', { name: 'Verify' }).click()
  await other.waitForURL('**/user/dashboard')
  await profile()
  await said('This device')
  expect(await accessibilityFaults(page)).toEqual([])
  await press('Sign out everywhere else')
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  await said('Signed out')
  await other.reload()
  await other.waitForURL('**/user/login**')
  await other.context().close()
})

test('a forgotten password is answered the same for everybody; a used link says so', async () => {
  const stranger = await person(browser)
  await stranger.goto(`${product.url}/user/login`)
  await stranger.getByRole('link', { name: 'Forgot your password?' }).click()
  // The previous page has a field of the same name, and stays until this one is loaded.
  await stranger.getByRole('heading', { name: 'Forgot password', level: 1 }).waitFor()
  await stranger.getByLabel('Account or e-mail').fill('nobody-of-that-name')
  await stranger.getByRole('button', { name: 'Send link' }).click()
  await stranger.getByText(/^If the account exists/).waitFor()
  await stranger.goto(`${product.url}/user/verifyMail?token=spent`)
  await stranger.waitForURL('**/user/login')
  await stranger.getByText(/^This link has expired/).waitFor()
  await stranger.context().close()
})
