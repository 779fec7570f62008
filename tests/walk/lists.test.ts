/// <reference lib="dom" />
/** Lists in a real browser: adjusted to taste, saved as views, bulk actions, and undoing a switch. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn as signInApi } from '../harness/api.ts'
import { logRows } from '../harness/logged-rows.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { openTenant } from '../harness/tenant.ts'
import { until } from '../harness/until.ts'
import { openBrowser, person, signIn } from './browser.ts'
import { settled } from './settled.ts'

let product: SharedProduct
let origin: Origin
let browser: Browser
let shop: Shop
let page: Page
/** More than one page of the list, together with the shop's own domain. */
const added = 30

beforeAll(async () => {
  origin = await startOrigin()
  ;[product, browser] = await Promise.all([openTenant('lists'), openBrowser()])
  shop = await openShop(product, origin.port)
  const upstreams = [{ ip: '127.0.0.1', port: origin.port }]
  await shop.change('POST', `${shop.of}/domains`, {
    domains: Array.from({ length: added }, (_, i) => ({ name: `d${i}.example.com`, upstreams, tags: ['many'] })),
  })
  await shop.change('POST', `${shop.of}/firewall/l7/secondRates`, { urlRegex: '^/login', rate: 5, burst: 10 })
  page = await person(browser)
  await signIn(page, product, 'user')
})
afterAll(async () => {
  await browser?.close()
  await origin?.stop()
})

const tab = (name: string) =>
  page.goto(`${product.url}/user/sitesManagement/sitesSetting/${shop.siteID}/shop?tab=${name}`)
const heads = () => page.getByRole('columnheader').allInnerTexts()
const rows = () => page.getByRole('table').getByRole('row')

test('columns are hidden, moved and made dense, and stay so', async () => {
  await tab('domains')
  await page.getByRole('button', { name: 'Columns and density' }).click()
  await page.getByRole('checkbox', { name: 'CNAME' }).uncheck()
  // Past the hidden one, and past the one before it.
  await page.getByRole('button', { name: 'Move Tags up' }).click()
  await page.getByRole('button', { name: 'Move Tags up' }).click()
  await page.getByRole('button', { name: 'Compact' }).click()
  await page.reload()
  await rows().nth(25).waitFor()
  await settled(page)
  const shown = await heads()
  expect(shown.some((head) => head.includes('CNAME'))).toBe(false)
  expect(shown.indexOf('Tags')).toBeLessThan(shown.indexOf('Origin'))
  expect((await rows().nth(3).boundingBox())?.height).toBeLessThanOrEqual(33)
})

test('a view saves a filter under a name', async () => {
  await page.getByLabel('Search domains').fill('d2')
  await until('what matches', async () => (await rows().count()) === 12)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByLabel('Name of the view').fill('The twenties')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Views' }).waitFor({ state: 'detached' })
  await page.getByLabel('Search domains').fill('')
  await until('all of the page', async () => (await rows().count()) === 26)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('button', { name: 'The twenties', exact: true }).click()
  await until('the view', async () => (await rows().count()) === 12)
  await expect.poll(() => page.getByLabel('Search domains').inputValue()).toBe('d2')
})

test('views belong to the account: another browser has them, and those that only a browser had are brought along', async () => {
  const view = (name: string) => page.getByRole('button', { name, exact: true })
  const look = async () => {
    await page.reload()
    await page.getByRole('button', { name: 'Views' }).click()
  }
  const forget = (old?: string) =>
    page.evaluate((kept) => {
      const key = Object.keys(localStorage).find((name) => name.startsWith('breakwater.views.domains.'))!
      if (kept) localStorage.setItem(key, kept)
      else localStorage.removeItem(key)
    }, old)
  await page.getByRole('dialog', { name: 'Views' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'The twenties' }).waitFor()
  await page.getByLabel('Search domains').fill('')
  await until('another address', async () => !page.url().includes('d2'))
  await forget(JSON.stringify({ views: [{ name: 'Of old', search: { keywords: 'd3' }, hidden: [], order: [] }] }))
  await look()
  await view('The twenties').waitFor()
  await view('Of old').waitFor()
  await until('it is the account’s', async () =>
    page.evaluate(() => Object.values(localStorage).some((text) => /Of old.*"isKept":true/.test(text))),
  )
  await forget()
  await look()
  await view('Of old').click()
  await until('the view', async () => (await page.getByLabel('Search domains').inputValue()) === 'd3')
  await page.getByLabel('Search domains').fill('')
})

test('all matching entries beyond the page are selected, and removed together', async () => {
  await tab('domains')
  await rows().nth(25).waitFor()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).first().click()
  await page.getByRole('button', { name: `Select all ${added + 1} matching` }).click()
  await page.getByText(`${added + 1} selected`).waitFor()
  await page.getByRole('button', { name: /^Remove 31 domains/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Remove 31 domains/ })
    .click()
  await page.getByText('No domains yet').waitFor()
  expect((await shop.api.call('GET', `${shop.of}/domains`)).body.total).toBe(0)
})

test('a rule’s switch can be undone while the message is shown', async () => {
  const enabled = async () => (await shop.api.call('GET', `${shop.of}/firewall/l7/secondRates`)).body.data[0].enabled
  await tab('rateRules')
  await page.getByRole('switch', { name: 'Enable this rule' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(await enabled()).toBe(false)
  await page.getByRole('button', { name: 'Undo' }).click()
  await until('the rule to be in force again', enabled)
})

test('API tokens beyond the page are revoked together', async () => {
  for (let i = 0; i < 26; i++) await shop.change('POST', '/apiToken', { name: `robot ${i}` })
  const rows = Promise.withResolvers<void>()
  await page.route(/\/apiTokens\?/, async (route) => {
    await rows.promise
    await route.continue()
  })
  await page.goto(`${product.url}/user/userManagement/apiTokenSetting`)
  const all = page.getByRole('checkbox', { name: 'Select all on this page' }).first()
  // Nothing that could be selected is there yet.
  await expect.poll(() => all.isDisabled()).toBe(true)
  rows.resolve()
  await all.click()
  await page.getByRole('button', { name: 'Select all 26 matching' }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  const asked = page.getByRole('dialog')
  await asked.getByText('and 6 more').waitFor()
  await asked.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No API tokens yet').waitFor()
  expect((await shop.api.call('GET', '/apiTokens')).body.total).toBe(0)
})

test('accounts are removed together, and one that still has sites stays and is named', async () => {
  const { operator, password } = product.accounts
  const api = await signInApi(product.url, 'client', operator, password)
  const guests = ['lists-anna', 'lists-bert']
  for (const guest of guests)
    await api.call('POST', '/client/account', {
      ...{ auth: 'user', name: guest, account: guest, email: `${guest}@example.com` },
    })
  const desk = await person(browser)
  await signIn(desk, product, 'client')
  // Other test files have their own customers in the operator's list.
  const { customer } = product.accounts
  await desk.goto(`${product.url}/client/userManagement/users?name=${customer}`)
  for (const name of [...guests, customer])
    await desk
      .getByRole('row')
      .filter({ has: desk.getByRole('button', { name, exact: true }) })
      .getByRole('checkbox')
      .first()
      .click()
  await desk.getByRole('button', { name: 'Remove', exact: true }).click()
  const asked = desk.getByRole('dialog')
  await asked.getByText('Type “3” to confirm').waitFor()
  await asked.getByRole('textbox').fill('3')
  await asked.getByRole('button', { name: 'Remove', exact: true }).click()
  await desk.getByText('Still has sites').waitFor()
  const names = (await api.call('GET', `/client/accounts?auth=user&pageSize=100&name=${customer}`)).body.data.map(
    ({ account }: { account: string }) => account,
  )
  expect(names).toEqual([customer])
  await desk.context().close()
})

test('an operator’s URL that ends with a domain’s name leads to that domain, dots and all', async () => {
  const desk = await person(browser)
  await signIn(desk, product, 'client')
  await desk.goto(`${product.url}/client/sitesManagement/sitesSetting/${shop.siteID}/shop/www.example.com`)
  await desk.getByRole('heading', { name: 'Domains' }).waitFor()
  await expect.poll(() => desk.getByLabel('Search domains').inputValue()).toBe('www.example.com')
  await desk.context().close()
})

test('all rules of a list beyond the page are selected, and switched together in one revision', async () => {
  const rules = `${shop.of}/firewall/l7/blacklists`
  // One after the other: saves of one site wait for each other, on a loaded machine longer than the server allows.
  for (let i = 0; i < added; i++) await shop.change('POST', rules, { ips: [`192.0.2.${i}`] })
  const { revision } = await shop.change('GET', shop.of)
  await tab('denyList')
  await rows().nth(25).waitFor()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).first().click()
  await page.getByRole('button', { name: `Select all ${added} matching` }).click()
  await page.getByText(`${added} selected`).waitFor()
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  const review = page.getByRole('dialog', { name: `Disable ${added} rules` })
  await review.getByRole('button', { name: 'Disable', exact: true }).click()
  await review.waitFor({ state: 'detached' })
  const after = (await shop.api.call('GET', `${rules}?pageSize=100`)).body.data as { enabled: boolean }[]
  expect(after.filter(({ enabled }) => enabled)).toEqual([])
  expect((await shop.change('GET', shop.of)).revision).toBe(revision + 1)
})

test('a rule shows whether it matched requests in the last 24 hours, and links to them in the log', async () => {
  const { data } = (await shop.api.call('GET', `${shop.of}/firewall/l7/secondRates`)).body
  const { id } = data[0] as { id: number }
  const met = {
    site: shop.siteID,
    path: '/login',
    address: '203.0.113.9',
    guard: 'rateRules',
    rule: id,
    action: 'block',
  }
  const now = Date.now() / 1000
  await logRows(product, [
    { ...met, time: now - 1_800, requestId: 'met-1', weight: 7 },
    { ...met, time: now - 10_000, requestId: 'met-2', weight: 5 },
  ])
  await tab('rateRules')
  const link = page.getByRole('link', { name: '12 hits: show them in the log' })
  await link.waitFor()
  const list = [...Array.from({ length: 21 }, () => 0), 5, 0, 7].join(', ')
  await page.getByRole('img', { name: `Hits per hour, last 24 hours: ${list}` }).waitFor()
  await link.press('Enter')
  await page.waitForURL((url) => url.searchParams.get('tab') === 'logs' && url.searchParams.get('view') === 'search')
  await page.getByText('/login').first().waitFor()
  expect(new URL(page.url()).searchParams.get('f')).toBe(JSON.stringify([`rule:${id}`]))
  await page.goBack()
  await page.setViewportSize({ width: 390, height: 800 })
  await link.waitFor()
  await expect.poll(() => page.getByRole('img', { name: /^Hits per hour/ }).count()).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('sites are removed together once their number is typed', async () => {
  for (const siteName of ['old one', 'old two']) await shop.change('POST', '/user/site', { siteName })
  await page.goto(`${product.url}/user/sitesManagement/sites?siteName=old`)
  await until('both sites', async () => (await rows().count()) === 3)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).first().click()
  await page.getByRole('button', { name: 'Remove 2 sites' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('old one').waitFor()
  await dialog.getByRole('button', { name: 'Remove 2 sites', disabled: true }).waitFor()
  await dialog.getByLabel('Type “2” to confirm').fill('2')
  await dialog.getByRole('button', { name: 'Remove 2 sites' }).click()
  await page.getByText('Nothing matches these filters').waitFor()
  expect((await shop.api.call('GET', '/user/sites')).body.total).toBe(1)
})
