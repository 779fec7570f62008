/**
 * Six user journeys without a mouse: first site, first rule, purge, investigating an attack, adding a node, issuing a
 * licence.
 */

import type { Tier } from '@breakwater/contract/tiers.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logRows } from '../harness/logged-rows.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openTenant } from '../harness/tenant.ts'
import { until } from '../harness/until.ts'
import { openBrowser, person } from './browser.ts'
import { type Keys, keysOf } from './keys.ts'

let product: SharedProduct
let origin: Origin
let browser: Browser
let page: Page
let keys: Keys
let siteID: number
const attacker = '198.51.100.7'

beforeAll(async () => {
  origin = await startOrigin()
  ;[product, browser] = await Promise.all([openTenant('keyboard'), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await origin?.stop()
})

const said = (text: string | RegExp) => page.getByText(text).first().waitFor()
const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

/** Signs in to the console of an account, by keyboard alone. */
async function enter(tier: Tier, account: string) {
  await page?.context().close()
  page = await person(browser)
  keys = keysOf(page)
  await page.goto(`${product.url}/${tier}/login`)
  await keys.focused('Account or e-mail')
  await keys.type(account)
  await keys.press('Tab')
  await keys.type(product.accounts.password)
  await keys.press('Enter')
  await page.waitForURL(`**/${tier}/dashboard`)
  await heading('Overview')
}

/**
 * Opens a page by its letter. Presses the letter again if the page did not listen yet, but not if it is already on its
 * way: its fields would receive the letters.
 */
async function go(letter: string, name: string) {
  const path = () => page.evaluate(() => location.pathname)
  const before = await path()
  await until(`the way to ${name}`, async () => {
    await keys.press('g', letter)
    return (await path()) !== before
  })
  await heading(name)
}

/** Opens a page of the current site, by its name. */
async function search(text: string) {
  await keys.press('Control+k')
  await keys.focused('Search or run a command')
  await keys.type(text)
  await keys.press('Enter')
}

test('the first site: its domain, its origin, a name, live', async () => {
  await enter('user', product.accounts.customer)
  await go('c', 'New site')
  await keys.focused('Domain')
  await keys.type('shop.harbour.example')
  await keys.press('Tab')
  await keys.type(`127.0.0.1:${origin.port}`)
  await keys.press('Tab')
  // The domain is suggested as the name.
  await until('the suggestion', async () => (await page.getByLabel('Name', { exact: true }).inputValue()) !== '')
  await keys.press('Control+a')
  await keys.type('Harbour shop')
  await keys.press('Enter')
  await said('Live on 1 of 1 node')
  await keys.reach('Open site')
  await keys.press('Enter')
  await heading('Harbour shop')
  siteID = Number(/sitesSetting\/(\d+)\//.exec(page.url())![1])
})

test('the first rule: tried on the last 24 hours, observing first, then enforced', async () => {
  const now = Math.floor(Date.now() / 1000)
  const row = { site: siteID, path: '/login', address: `::ffff:${attacker}`, domain: 'shop.harbour.example' }
  await logRows(
    product,
    Array.from({ length: 120 }, (_, i) => ({ ...row, time: now - 1_800 + Math.floor(i / 20), requestId: `key${i}` })),
  )
  await search('rate rules')
  await heading('Rate rules')
  await keys.reach('Add rule')
  await keys.press('Enter')
  await keys.focused('URL expression')
  await keys.type('^/login')
  await keys.reach('Requests per second')
  await keys.press('Control+a')
  await keys.type('2')
  await keys.reach('Observe')
  await keys.press('Space')
  await keys.reach('Try on the last 24 hours')
  await keys.press('Enter')
  await said('Would block')
  await keys.press('Control+s')
  await said('Rate Added Success!')
  await keys.focused('Add rule')
  await keys.reach(/\^\/login/)
  await keys.press('Enter')
  await keys.focused('URL expression')
  await keys.reach('Observe')
  await keys.press('ArrowRight')
  await keys.focused('Enforce')
  await keys.press('Space', 'Control+s')
  await page.getByRole('dialog', { name: 'From observe to enforce' }).waitFor()
  await keys.focused('Cancel')
  await keys.reach('Enforce')
  await keys.press('Enter')
  await page.getByRole('dialog', { name: 'Edit rule' }).waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: '^/login' }).getByText('Observe').waitFor({ state: 'detached' })
})

test('a purge, and its progress', async () => {
  await search('cache')
  await heading('Cache')
  await keys.reach('Purge cache')
  await keys.press('Enter')
  await keys.focused('URLs')
  await keys.type('https://shop.harbour.example/hello')
  await keys.press('Control+s')
  await said('Purged on nodes: 1 of 1')
  await keys.focused('Purge cache')
})

test('an attack: from the numbers to the requests, why they passed, and a rule against the address', async () => {
  await go('d', 'Overview')
  await go('t', 'Traffic')
  await page.getByRole('listitem').filter({ hasText: attacker }).first().waitFor()
  await keys.reach('Top visitor IPs', ']')
  await keys.reach(`Log: ${attacker}`)
  await keys.press('Enter')
  await heading('Access log')
  await page.getByRole('row').filter({ hasText: attacker }).first().waitFor()
  await keys.reach('Requests', ']')
  await keys.reach(/^\d\d:\d\d:\d\d/)
  await keys.press('Enter')
  await page
    .getByRole('button', { name: 'Explain this request' })
    .or(page.getByRole('link', { name: 'Explain this request' }))
    .waitFor()
  await keys.reach('Explain this request')
  await keys.press('Enter')
  await heading('Explain')
  await said('Deny list')
  await go('t', 'Traffic')
  await keys.reach('Top visitor IPs', ']')
  await keys.reach(`Create rule: ${attacker}`)
  await keys.press('Enter')
  // If Tab is pressed before the dialog is there, it moves in the page behind it.
  await page.getByRole('dialog', { name: 'Block these IPs' }).waitFor()
  await keys.reach('Open rule')
  await keys.press('Enter')
  await page.waitForURL(/tab=denyList/)
  await expect.poll(() => page.getByRole('dialog').getByLabel('Addresses').inputValue()).toContain(attacker)
  await keys.press('Control+s')
  await page.getByRole('row').filter({ hasText: attacker }).waitFor()
  // As long as the form is open, it receives the letters.
  await page
    .getByRole('dialog')
    .filter({ has: page.getByLabel('Addresses') })
    .waitFor({ state: 'detached' })
})

test('one key shows all the others, and focus returns to where it was', async () => {
  await go('s', 'Sites')
  await keys.reach('New site')
  await keys.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  // It receives keys once it has focus.
  await help
    .locator(':focus')
    .or(help.and(page.locator(':focus')))
    .waitFor()
  await keys.press('Escape')
  await keys.focused('New site')
  await keys.press('/')
  await keys.focused('Search by name')
})

test('an operator adds a node', async () => {
  await enter('client', product.accounts.operator)
  await go('n', 'Nodes')
  await keys.reach('Add node')
  await keys.press('Enter')
  await keys.focused('Node name')
  await keys.press('Control+a')
  await keys.type('taipei-2')
  await keys.press('Enter')
  await said('Run this command as root')
  await keys.reach(/^Copy /)
  await keys.press('Escape')
  await keys.focused('Add node')
})

test('a vendor issues a licence', async () => {
  await enter('admin', product.accounts.vendor)
  await go('i', 'Licences')
  // Not the button of the empty list, which disappears with the first licence.
  await page.locator('header button:enabled', { hasText: 'Add licence' }).waitFor()
  await keys.reach('Add licence')
  await keys.press('Enter')
  await keys.focused('Name')
  await keys.type('Harbour networks')
  // A licence always has an end.
  await page.getByRole('button', { name: '365 d' }).waitFor()
  expect(await page.getByRole('button', { name: 'Never' }).count()).toBe(0)
  await keys.press('Control+s')
  await said('Create Licenses Success!')
  await keys.focused('Add licence')
  await keys.reach('Issue')
  await keys.press('Enter')
  await said('Issue License Success!')
  await page.getByRole('dialog', { name: 'Licence key of Harbour networks' }).waitFor()
  await keys.press('Escape')
  await keys.focused(/^Issue/)
})
