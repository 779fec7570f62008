/// <reference lib="dom" />
/**
 * A person is invited to one site, chooses a password, sets up a second factor, sees that site and nothing else, and
 * appears in the audit log.
 */
import { type TOTP, URI } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openTenant } from '../harness/tenant.ts'
import { openBrowser, person, signIn } from './browser.ts'

let product: SharedProduct
let browser: Browser
let owner: Page
let clerk: Page

beforeAll(async () => {
  ;[product, browser] = await Promise.all([openTenant('people'), openBrowser()])
  owner = await person(browser)
  await signIn(owner, product, 'user')
  const token = (await owner.context().cookies()).find(({ name }) => name === 'u_accessToken')!.value
  for (const siteName of ['Harbour shop', 'Harbour vault']) {
    const headers = { authorization: `Bearer ${decodeURIComponent(token)}`, 'content-type': 'application/json' }
    const made = await fetch(`${product.url}/api/v1/user/site`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ siteName }),
    })
    expect(made.status).toBe(200)
  }
})
afterAll(async () => {
  await browser?.close()
})

const go = (page: Page, path: string) => page.goto(`${product.url}/user/${path}`)
const drawer = (page: Page) => page.getByRole('dialog')

test('an invitation creates its first role with one click on a suggestion, even as the empty field before it loses focus', async () => {
  await go(owner, 'userManagement/usersList?edit=new')
  const viewer = drawer(owner).getByRole('button', { name: 'Viewer' })
  // The page behind the drawer is hidden from assistive technology, so wait for the drawer.
  await viewer.waitFor()
  await drawer(owner).getByLabel('Name', { exact: true }).focus()
  await viewer.click()
  await drawer(owner).getByRole('checkbox', { name: 'Viewer', checked: true }).waitFor()
  await drawer(owner).getByText('Required').waitFor()
})

test('a role is made from a preset, with each permission described and the dangerous ones marked', async () => {
  await go(owner, 'userManagement/roles?edit=new')
  await drawer(owner).getByRole('button', { name: 'Save' }).click()
  await drawer(owner).getByText('Required').first().waitFor()
  await drawer(owner).getByRole('button', { name: 'Viewer' }).click()
  await drawer(owner).getByText('View sites and their settings').waitFor()
  await drawer(owner).getByLabel('Search permissions').fill('audit')
  await drawer(owner).getByText('View the audit log').click()
  await drawer(owner).getByLabel('Search permissions').fill('grant others')
  await drawer(owner).getByLabel('Name').fill('Shop clerk')
  await drawer(owner).getByRole('button', { name: 'Save' }).click()
  await owner.getByText('Create Role Success !').waitFor()
  await owner.getByRole('row').filter({ hasText: 'Shop clerk' }).waitFor()
})

test('invalid input is named on its field, by the form as by the server', async () => {
  await go(owner, 'userManagement/usersList?edit=new')
  await drawer(owner).getByLabel('Name').fill('Ann Lee')
  await drawer(owner).getByLabel('E-mail').fill('ann at example')
  await drawer(owner).getByLabel('Account', { exact: true }).fill('ann lee')
  await drawer(owner).getByRole('button', { name: 'Send invitation' }).click()
  await drawer(owner).getByText('Not a valid e-mail address').waitFor()
  await drawer(owner).getByText('Wrong format').waitFor()
  await drawer(owner).getByLabel('E-mail').fill('ann@harbour.example')
  // An account name that is taken: only the server knows.
  await drawer(owner).getByLabel('Account', { exact: true }).fill('customer')
  await drawer(owner).getByRole('button', { name: 'Send invitation' }).click()
  await drawer(owner).getByText('Already exists').waitFor()
  await drawer(owner).getByLabel('Account', { exact: true }).fill('ann')
})

test('is invited, given one site, and chooses a password with the link in the letter', async () => {
  await drawer(owner).getByText('Shop clerk').click()
  await drawer(owner).getByRole('button', { name: 'Send invitation' }).click()
  await owner.getByText('Create user Successful!').waitFor()
  // There is no mail server, so the console says so and shows the link.
  const undelivered = owner.getByRole('dialog', { name: 'Not delivered: no mail server' })
  const link = (await undelivered.locator('code').textContent()) ?? ''
  await undelivered.getByRole('button', { name: 'Got it' }).click()
  await owner.getByRole('button', { name: 'Ann Lee' }).click()
  await drawer(owner).getByText('no password chosen yet').waitFor()
  await drawer(owner).getByRole('button', { name: 'Add site' }).click()
  await owner.getByLabel('Search sites by name').fill('shop')
  await owner.getByRole('button', { name: 'Harbour shop' }).click()
  await owner.getByText('Harbour shop added').waitFor()

  clerk = await person(browser)
  await clerk.goto(link)
  await clerk.getByLabel('New password', { exact: true }).fill('ann-has-one-1')
  await clerk.getByLabel('Repeat the new password').fill('ann-has-one-1')
  await clerk.getByRole('button', { name: 'Set password' }).click()
  await clerk.getByLabel('Account or e-mail').fill('ann')
  await clerk.getByLabel('Password', { exact: true }).fill('ann-has-one-1')
  await clerk.getByRole('button', { name: 'Sign in' }).click()
  await clerk.waitForURL('**/user/dashboard')
})

test('who can do what: a mark if the account has the permission, and nothing if it does not', async () => {
  await go(owner, 'userManagement/roles?view=matrix')
  const ann = owner.getByRole('row').filter({ hasText: 'Ann Lee' })
  await ann.getByText('View sites and their settings').waitFor()
  await owner.getByText('A check mark means that it has the permission').waitFor()
  const marks = await ann
    .getByRole('cell')
    .evaluateAll((cells) => cells.map((cell) => [cell.textContent !== '', cell.querySelector('svg') !== null]))
  expect(marks.every(([isTold, isMarked]) => isTold === isMarked)).toBe(true)
  expect(marks.some(([isTold]) => !isTold)).toBe(true)
})

test('sets up an authenticator app, and is asked for its code at the next sign-in', async () => {
  await go(clerk, 'userManagement/userInformation')
  await clerk.getByRole('button', { name: 'Set up', exact: true }).click()
  await clerk.getByLabel('Current password').fill('ann-has-one-1')
  await clerk.getByRole('button', { name: 'Next', exact: true }).click()
  const secret = await drawer(clerk).locator('code').textContent()
  const app = URI.parse(`otpauth://totp/x?secret=${secret}`) as TOTP
  await clerk.getByRole('textbox', { name: 'Six-digit code from the app' }).fill(app.generate())
  await clerk.getByRole('button', { name: 'Finish', exact: true }).click()
  await clerk.getByRole('button', { name: 'I have saved them' }).click()
  await clerk.getByRole('button', { name: 'Account menu' }).click()
  await clerk.getByRole('menuitem', { name: 'Sign out' }).click()
  await clerk.getByLabel('Account or e-mail').fill('ann')
  await clerk.getByLabel('Password', { exact: true }).fill('ann-has-one-1')
  await clerk.getByRole('button', { name: 'Sign in' }).click()
  await clerk.waitForURL('**/user/login/verifyAccount')
  // No code is valid twice; that of the next time step is accepted already, however slow the machine was until here.
  const next = app.generate({ timestamp: Date.now() + 30_000 })
  await clerk.getByRole('textbox', { name: 'Code', exact: true }).fill(next)
  await clerk.getByRole('button', { name: 'Verify', exact: true }).click()
  await clerk.waitForURL('**/user/dashboard')
})

test('sees one site and nothing else: in the list, the switcher, the log, and not by its URL', async () => {
  await go(clerk, 'sitesManagement/sites')
  await clerk.getByText('Harbour shop').first().waitFor()
  await expect(clerk.getByText('Harbour vault').count()).resolves.toBe(0)
  await clerk.getByRole('button', { name: 'Search or run a command' }).click()
  await clerk.getByRole('combobox', { name: 'Search or run a command' }).fill('harbour')
  await clerk.getByRole('option', { name: /Harbour shop/ }).waitFor()
  await expect(clerk.getByRole('option', { name: /Harbour vault/ }).count()).resolves.toBe(0)
  await clerk.keyboard.press('Escape')
  await go(clerk, 'userManagement/usersList')
  await clerk.getByText('Your role cannot open this page').waitFor()
  const menu = clerk.getByRole('navigation', { name: 'Main navigation' })
  await menu.getByRole('link', { name: 'Overview' }).waitFor()
  for (const name of ['Roles', 'Members']) expect(await menu.getByText(name, { exact: true }).count()).toBe(0)
})

test('is a member of that site, and appears in the audit log, in words', async () => {
  await go(owner, 'userManagement/logOperation')
  await owner.getByRole('button', { name: 'Filter', exact: true }).click()
  await owner.getByLabel('Value').fill('ann')
  await owner.getByRole('button', { name: 'Apply' }).click()
  await owner.getByRole('button', { name: 'Signed in' }).first().waitFor()
  await go(owner, 'userManagement/logOperation?action=site.users.set')
  await owner.getByRole('button', { name: 'Added a site member' }).first().click()
  await drawer(owner).getByText('Accounts: ann').waitFor()
  const [file] = await Promise.all([
    owner.waitForEvent('download'),
    owner.keyboard.press('Escape').then(() => owner.getByRole('button', { name: 'Export CSV' }).click()),
  ])
  expect(file.suggestedFilename()).toBe('audit.csv')
})

test('is removed only after its consequences were listed, and its name typed', async () => {
  await go(owner, 'userManagement/usersList')
  await owner.getByRole('button', { name: 'Ann Lee' }).click()
  await drawer(owner).getByRole('button', { name: 'Remove', exact: true }).click()
  const asked = owner.getByRole('dialog', { name: 'Remove Ann Lee?' })
  await asked.getByText('1 selected site').waitFor()
  await expect(asked.getByRole('button', { name: 'Remove' }).isDisabled()).resolves.toBe(true)
  await asked.getByRole('textbox').fill('ann')
  await asked.getByRole('button', { name: 'Remove' }).click()
  await owner.getByText('Remove user Successful!').waitFor()
  await go(clerk, 'sitesManagement/sites')
  await clerk.waitForURL('**/user/login**')
})

test('the API page tries a call with the session of the console, under the console’s content policy', async () => {
  const refused: string[] = []
  owner.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text())
  })
  await owner.goto(`${product.url}/api/v1/docs/user`)
  await owner.getByText('account.self', { exact: true }).first().click()
  await owner.getByText('Returns the signed-in account and its permissions.').first().click()
  await owner
    .getByRole('button', { name: /Test Request/ })
    .filter({ hasText: '(get /user/account/self)' })
    .first()
    .click()
  const answered = owner.waitForResponse(
    (reply) => reply.url().endsWith('/api/v1/user/account/self') && reply.status() === 200,
  )
  await owner.getByRole('button', { name: /^Send/ }).first().click()
  await answered
  // The page's initial token has expired: it refreshes it as the console does, and repeats the call.
  const calls: number[] = []
  owner.on('response', (reply) => void (/account.self$/.test(reply.url()) && calls.push(reply.status())))
  const expired = { status: 401, json: { code: 101014, message: 'Token Expired' } }
  await owner.route('**/api/v1/user/account/self', (route) => route.fulfill(expired), { times: 1 })
  const refreshed = owner.waitForResponse(
    (reply) => reply.url().endsWith('/api/v1/user') && reply.request().method() === 'PATCH' && reply.ok(),
  )
  await owner.getByRole('button', { name: /^Send/ }).first().click()
  await refreshed
  await expect.poll(() => calls).toEqual([401, 200])
  expect(refused).toEqual([])
})
