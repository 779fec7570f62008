/// <reference lib="dom" />
/**
 * Finding requests in a real browser: brushing the histogram, including and excluding values, opening a row and its
 * link, scrolling through many, following live.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logRows } from '../harness/logged-rows.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { openTenant } from '../harness/tenant.ts'
import { until } from '../harness/until.ts'
import { accessibilityFaults, openBrowser, person, signIn, tab } from './browser.ts'
import { settled } from './settled.ts'

let product: SharedProduct
let origin: Origin
let browser: Browser
let shop: Shop
let page: Page
const passed = 540
const blocked = 60

beforeAll(async () => {
  origin = await startOrigin()
  ;[product, browser] = await Promise.all([openTenant('logs'), openBrowser()])
  shop = await openShop(product, origin.port)
  const now = Math.floor(Date.now() / 1000)
  const rows = Array.from({ length: passed + blocked }, (_, i) => ({
    site: shop.siteID,
    // Within the last hour for as long as this file may take.
    time: now - 2_700 + i * 4,
    requestId: `walk${String(i).padStart(28, '0')}`,
    path: `/page/${i % 7}`,
    address: i % 3 === 0 ? '::ffff:198.51.100.7' : '::ffff:203.0.113.9',
    userAgent: i % 2 === 0 ? 'walker/1.0' : 'Runner/2.0',
    ...(i % 10 === 0
      ? { action: 'block', status: 403, cause: 903, guard: 'denyRules', rule: 77, cache: '', originStatus: 0 }
      : {}),
  }))
  await logRows(product, rows)
  page = await person(browser)
  await signIn(page, product, 'user')
})

afterAll(async () => {
  await browser?.close()
  await origin?.stop()
})

const address = () => new URL(page.url()).searchParams
const counted = (n: number) => page.getByRole('heading', { name: `${n} request`, exact: false, level: 2 })
const histogram = () => page.getByRole('slider', { name: /^Requests over time:/ })
const table = () => page.getByRole('region', { name: 'Requests', exact: true })
const open = async (search = '') => {
  await page.goto(`${product.url}/user/dataAnalysis/logger?view=search${search}`)
  await page.getByRole('heading', { name: 'Access log', level: 1 }).waitFor()
  await table().getByRole('row').nth(1).waitFor()
}

test('all requests are counted, and a value is included and excluded in the side bar', async () => {
  await open()
  await counted(passed + blocked).waitFor()
  await page.getByRole('button', { name: 'Filter: Action Blocked' }).click()
  await counted(blocked).waitFor()
  expect(address().get('f')).toContain('action:block')
  await page.getByRole('button', { name: 'Remove filter: Action' }).click()
  await counted(passed + blocked).waitFor()
  await page.getByRole('button', { name: 'Exclude: Action Blocked' }).click()
  await counted(passed).waitFor()
  expect(address().get('f')).toContain('-action:block')
})

test('brushing the histogram narrows the page to the selected range', async () => {
  await open()
  await counted(passed + blocked).waitFor()
  // What is still loading would move it away from the pointer.
  await settled(page)
  await histogram().scrollIntoViewIfNeeded()
  const box = (await histogram().locator('.u-over').boundingBox())!
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2, { steps: 5 })
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  await page.waitForURL(/[?&]from=\d+/)
  const seconds = Number(address().get('to')) - Number(address().get('from'))
  // One request every four seconds, give or take the two at the ends.
  const text = await until('the new count', async () => {
    const found = Number((await page.getByRole('heading', { level: 2, name: /request/ }).textContent())?.split(' ')[0])
    return found < passed && found
  })
  expect(Math.abs(text - seconds / 4)).toBeLessThanOrEqual(2)
})

test('a cell’s value is included with the pointer, and excluded by keyboard', async () => {
  await open()
  await counted(passed + blocked).waitFor()
  await table().getByText('403', { exact: true }).first().hover()
  await page.getByRole('toolbar', { name: 'Status' }).getByRole('button', { name: 'Filter: Status 403' }).click()
  await counted(blocked).waitFor()
  expect(address().get('f')).toContain('status:403')
  await open()
  await table().getByRole('row').nth(1).getByRole('button').focus()
  // Past including the action, to excluding it.
  await page.keyboard.press('ArrowRight')
  await page.getByRole('toolbar', { name: 'Action' }).waitFor()
  const action = await table().getByRole('row').nth(1).getByRole('cell').nth(1).textContent()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await counted(action === 'Blocked' ? passed : blocked).waitFor()
  expect(address().get('f')).toContain('-action:')
})

test('a row opens, and its link opens the same row in another tab', async () => {
  await open('&f=%5B%22rule%3A77%22%5D')
  await counted(blocked).waitFor()
  await table().getByRole('row').nth(3).getByRole('button').click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('Deny list', { exact: true }).waitFor()
  const id = address().get('row')!
  const other = await tab(page.context())
  await other.goto(`${product.url}/user/dataAnalysis/logger?view=search&row=${encodeURIComponent(id)}`)
  const reqID = id.split('-')[2]!
  await other.getByRole('dialog').getByText(reqID).first().waitFor()
  await other.getByRole('dialog').getByRole('button', { name: 'JSON', exact: true }).click()
  const told = JSON.parse((await other.getByRole('dialog').locator('pre').textContent()) ?? '')
  expect(told).toMatchObject({ id, reqID, rule: 77, action: 'block' })
  await other.close()
  await drawer.getByRole('button', { name: 'Create rule' }).click()
  await page.getByRole('menuitem', { name: /^Block / }).click()
  await page.waitForURL('**/sitesSetting/**')
  await until('the address in the form', async () => (await page.getByLabel('Addresses').inputValue()).includes('.'))
})

test('a link to a row that is not there says so', async () => {
  await page.goto(`${product.url}/user/dataAnalysis/logger?view=search&row=1700000000000-${shop.siteID}-nothing`)
  await page.getByText('Log row not found').waitFor()
})

test('hundreds of rows are scrolled through with only a few in the page', async () => {
  await open()
  await counted(passed + blocked).waitFor()
  const region = table()
  await until(
    'the last row',
    async () => {
      await region.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
      return (await page.getByText('All rows loaded').count()) > 0
    },
    240_000,
  )
  await page.getByText(`${passed + blocked} rows loaded`).waitFor()
  expect(await region.getByRole('row').count()).toBeLessThan(100)
})

test('a text is found in the user agent regardless of case, and columns are chosen', async () => {
  await open('&q=rUnNeR')
  await counted((passed + blocked) / 2).waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'User-Agent' }).check()
  await page.keyboard.press('Escape')
  await table().getByText('Runner/2.0').first().waitFor()
  await page.reload()
  await table().getByText('Runner/2.0').first().waitFor()
})

test('the live log shows its lag, and stands still while one reads', async () => {
  await page.setViewportSize({ width: 1440, height: 420 })
  await page.goto(`${product.url}/user/dataAnalysis/logger`)
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
  await Promise.all(Array.from({ length: 20 }, (_, i) => shop.visit(`/live-${i}`)))
  await page.getByText('/live-19').first().waitFor()
  await page.getByText(/ behind$/).waitFor()
  const region = page.getByRole('region', { name: 'Access log' })
  const held = page.getByRole('button', { name: /Paused while you read/ })
  await until('rows that stand still', async () => {
    // Enough of the twenty must be there to scroll.
    await region.evaluate((element) => element.scrollTo({ top: 120 }))
    return held.isVisible()
  })
  const rowsHeld = async () => Number(/\d+/.exec((await held.textContent()) ?? '')?.[0] ?? 0)
  // Some of the twenty may still be on their way.
  const before = await rowsHeld()
  await shop.visit('/arrives-later')
  await until('a row that is held', async () => (await rowsHeld()) > before)
  expect(await page.getByText('/arrives-later').count()).toBe(0)
  await held.click()
  await page.getByText('/arrives-later').first().waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('the explorer has no accessibility fault, and no horizontal scrolling on a phone', async () => {
  await open('&q=walker%2F1.0')
  await counted((passed + blocked) / 2).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await table().getByRole('row').nth(1).waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: 'Show fields' }).click()
  await page.getByRole('button', { name: 'Filter: Action Blocked' }).click()
  await counted(blocked).waitFor()
  // The name of the current page has room: language and theme are in the account menu.
  await page.getByRole('button', { name: 'Language' }).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitemradio', { name: '繁體中文' }).waitFor()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1440, height: 900 })
})
