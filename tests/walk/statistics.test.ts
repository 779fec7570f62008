/// <reference lib="dom" />
/**
 * Reading traffic, in a real browser: zooming by pointer and by keyboard, comparing, filtering from a row, the CSV
 * file, and the link to a rule; and a custom dashboard.
 */
import { readFile } from 'node:fs/promises'
import { cardTypes } from '@breakwater/contract/statistics/statistics.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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
const visits = { '/hello': 7, '/other': 3 }
const total = 10

beforeAll(async () => {
  origin = await startOrigin()
  ;[product, browser] = await Promise.all([openTenant('statistics'), openBrowser()])
  shop = await openShop(product, origin.port)
  const now = Math.floor(Date.now() / 1000)
  const row = { site: shop.siteID, address: '::ffff:198.51.100.7' }
  const seen = Object.entries(visits).flatMap(([path, times]) =>
    Array.from({ length: times }, () => ({ ...row, path, time: now - 1_800 })),
  )
  // The previous hour had half as many.
  const before = Array.from({ length: total / 2 }, () => ({ ...row, path: '/hello', time: now - 5_400 }))
  await logRows(product, [...seen, ...before])
  page = await person(browser)
  await signIn(page, product, 'user')
})

afterAll(async () => {
  await browser?.close()
  await origin?.stop()
})

const address = () => new URL(page.url()).searchParams
const open = async (search = '') => {
  await page.goto(`${product.url}/user/dataAnalysis/statistics${search}`)
  await page.getByRole('heading', { name: 'Traffic', level: 1 }).waitFor()
  await chart('Bandwidth').waitFor()
  await panel('Top URLs').getByRole('listitem').first().waitFor()
}
const chart = (name: string) => page.getByRole('slider', { name: new RegExp(`^${name}:`) })
const panel = (name: string) => page.getByRole('region', { name, exact: true })
const number = (name: string) =>
  page
    .locator('dl div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .first()

test('every chart is zoomed by brushing it, and the page follows', async () => {
  for (const name of [
    'Bandwidth',
    'Requests',
    'Status codes',
    'Cache',
    'Requests per second',
    'Traffic',
    'Origin requests',
  ]) {
    await open('?range=24h')
    await chart(name).scrollIntoViewIfNeeded()
    // What is still loading would move it away from the pointer.
    await settled(page)
    await chart(name).scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await chart(name).locator('.u-over').boundingBox())!
    await page.mouse.move(x + width * 0.25, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.4, y + height / 2, { steps: 5 })
    await page.mouse.move(x + width * 0.5, y + height / 2, { steps: 5 })
    await page.mouse.up()
    await page.waitForURL(/[?&]from=\d+/)
    const [from, to] = [Number(address().get('from')), Number(address().get('to'))]
    const now = Date.now() / 1000
    // A quarter of a day, starting at a quarter: within a few pixels of the pointer.
    expect(Math.abs(to - from - 21_600), name).toBeLessThan(1_200)
    expect(Math.abs(now - from - 64_800), name).toBeLessThan(1_800)
  }
})

test('a chart is zoomed in and out by keyboard', async () => {
  await open('?range=24h')
  await settled(page)
  await chart('Bandwidth').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  for (let i = 0; i < 12; i++) await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Enter')
  await page.waitForURL(/[?&]from=\d+/)
  const from = Number(address().get('from'))
  const to = Number(address().get('to'))
  expect(to - from).toBe(12 * 300)
  await settled(page)
  await chart('Bandwidth').press('z')
  await until(
    'the range to be wider',
    async () => Number(address().get('to')) - Number(address().get('from')) === 4 * 1_800,
  )
  await page.goBack()
  await until('the way back', async () => Number(address().get('from')) === from)
  await page.getByRole('button', { name: 'Reset zoom' }).click()
  await until('the preset', async () => !address().has('from'))
})

test('a range is typed as a length, and as two times in a time zone', async () => {
  await open()
  await page.getByRole('button', { name: /^Time range/ }).click()
  await page.getByLabel('Last', { exact: true }).fill('45m')
  await page.keyboard.press('Enter')
  await until('the length', async () => address().get('range') === '45m')
  await page.getByRole('button', { name: /^Time range/ }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).click()
  await page.getByRole('option', { name: 'Asia/Taipei' }).click()
  await until('the zone', async () => address().get('tz') === 'Asia/Taipei')
  await page.getByRole('button', { name: /^Time range/ }).click()
  await page.getByLabel('From', { exact: true }).fill('2026-11-01 08:00')
  await page.getByLabel('To', { exact: true }).fill('2026-11-01 09:30')
  await page.getByRole('button', { name: 'Apply range' }).click()
  const from = Date.parse('2026-11-01T00:00:00Z') / 1000
  await until(
    'the moments',
    async () => Number(address().get('from')) === from && Number(address().get('to')) === from + 5_400,
  )
})

test('the previous period is shown next to the numbers', async () => {
  await open()
  await until('the numbers', async () => (await number('Requests').textContent()) === String(total))
  await page.getByRole('button', { name: 'Compare with previous period' }).click()
  await until('the comparison', async () => address().get('compare') === 'true')
  // Ten now, five then.
  await page.getByText('+100%').first().waitFor()
  await panel('Bandwidth').getByText('Previous period').waitFor()
})

test('a peak that is not known yet is not shown as a number', async () => {
  const other = await tab(page.context())
  await other.route('**/api/v1/user/statistics/info', async (route) => {
    const reply = await route.fetch()
    const body = await reply.json()
    const { time: _, ...peak } = body.data[cardTypes.peak] ?? {}
    if (cardTypes.peak in body.data) body.data[cardTypes.peak] = { ...peak, bandwidth: 0 }
    await route.fulfill({ response: reply, json: body })
  })
  await other.goto(`${product.url}/user/dataAnalysis/statistics?every=off`)
  const card = other.locator('dl div').filter({ has: other.getByText('Peak bandwidth', { exact: true }) })
  await other
    .locator('dl div')
    .filter({ hasText: /^Requests/ })
    .getByText(String(total), { exact: true })
    .waitFor()
  await expect.poll(() => card.locator('dd').first().textContent()).toBe('–')
  // Wait for the call that is being answered: it cannot be answered twice.
  await other.unrouteAll({ behavior: 'wait' })
  await other.close()
})

test('a page with auto-refresh off makes no further calls', async () => {
  const other = await tab(page.context())
  let asked = 0
  other.on('request', (request) => {
    if (request.url().endsWith('/statistics/info')) asked++
  })
  await other.clock.install()
  for (const every of ['1m', 'off']) {
    await other.goto(`${product.url}/user/dataAnalysis/statistics?every=${every}`)
    await until('the numbers', async () => asked > 0)
    await other.getByRole('slider').first().waitFor()
    await settled(other)
    asked = 0
    await other.clock.fastForward(90_000)
    if (every === '1m') await until('the numbers again', async () => asked > 0)
    // A repeated call would have started before this one.
    await other.evaluate(async () => (await fetch('/health')).status)
    if (every === 'off') expect(asked).toBe(0)
    asked = 0
  }
  await other.close()
})

test('a row filters and excludes, and its chip removes the filter again', async () => {
  await open()
  const row = panel('Top URLs').getByRole('listitem').filter({ hasText: '/hello' })
  await row.hover()
  await row.getByRole('button', { name: /^Filter/ }).click()
  await until('what is left', async () => (await number('Requests').textContent()) === String(visits['/hello']))
  expect(address().get('f')).toContain('hostPath:')
  await page.getByRole('button', { name: /^Remove filter/ }).click()
  await row.hover()
  await row.getByRole('button', { name: /^Exclude/ }).click()
  await until('the rest', async () => (await number('Requests').textContent()) === String(visits['/other']))
  expect(address().get('f')).toContain('-hostPath:')
})

async function csvOf(button: ReturnType<Page['getByRole']>): Promise<string[][]> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
  const text = await readFile((await file.path())!, 'utf8')
  return text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
}

test('the CSV file has the numbers that the page shows', async () => {
  await open()
  const list = panel('Top URLs')
  await list.getByRole('listitem').first().waitFor()
  const [head, ...rows] = await csvOf(list.getByRole('button', { name: 'Download Top URLs as CSV' }))
  expect(head).toEqual(['Name', 'Requests'])
  expect(rows.map(([name, value]) => [name!.slice(name!.indexOf('/')), Number(value)])).toEqual(Object.entries(visits))
  await panel('Requests').getByRole('button', { name: 'View Requests as table' }).click()
  const cells = panel('Requests').getByRole('table').getByRole('row')
  const readShown = () =>
    cells.evaluateAll((all) =>
      all
        .slice(1)
        .map((row) => (row as HTMLTableRowElement).cells)
        .filter((cells) => !cells[0]!.textContent.includes('incomplete'))
        .map((cells) => Number(cells[1]!.textContent)),
    )
  // The page may refresh between the two readings.
  await vi.waitFor(async () => {
    const shown = await readShown()
    const [, ...points] = await csvOf(panel('Requests').getByRole('button', { name: 'Download Requests as CSV' }))
    // A step that is over, but not yet completely reported by the nodes, is marked in both. The file is current, and
    // the page is from its last refresh, at most a minute ago: one more step may be complete by now.
    const complete = points.filter((point) => point.at(-1) === '1').map(([, pass]) => Number(pass))
    expect(complete.slice(0, shown.length)).toEqual(shown)
    expect(complete.length - shown.length).toBeLessThanOrEqual(1)
    expect(shown.reduce((sum, value) => sum + value, 0)).toBe(total)
  })
})

test('a row is a link to the log with the same filter and range', async () => {
  await open()
  const row = panel('User agents').getByRole('listitem').filter({ hasText: 'walker/1.0' })
  await row.hover()
  await row.getByRole('button', { name: /^Log/ }).click()
  await page.waitForURL('**/dataAnalysis/logger**')
  expect(address().get('f')).toContain('userAgent:walker/1.0')
  expect(Number(address().get('to')) - Number(address().get('from'))).toBeGreaterThanOrEqual(3_600)
  await until('its rows', async () => (await page.getByRole('row').filter({ hasText: '/hello' }).count()) > 0)
})

test('an address is a link to a prefilled deny rule', async () => {
  await open()
  const row = panel('Top visitor IPs').getByRole('listitem').filter({ hasText: '198.51.100.7' })
  await row.hover()
  await row.getByRole('button', { name: /^Create rule/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Open rule' }).click()
  await page.waitForURL('**/sitesSetting/**')
  await page.getByRole('dialog').getByLabel('Addresses').waitFor()
  await expect.poll(() => page.getByRole('dialog').getByLabel('Addresses').inputValue()).toBe('198.51.100.7')
  await expect.poll(() => address().has('rule')).toBe(false)
})

test('a page is a link to a prefilled rate rule', async () => {
  await open()
  const row = panel('Top URLs').getByRole('listitem').filter({ hasText: '/hello' })
  await row.hover()
  await row.getByRole('button', { name: /^Create rule/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Open rule' }).click()
  await page.waitForURL('**/sitesSetting/**')
  await page.getByRole('dialog').getByLabel('URL expression').waitFor()
  await expect.poll(() => page.getByRole('dialog').getByLabel('URL expression').inputValue()).toBe('^/hello$')
})

test('what needs attention links to where it is dealt with', async () => {
  await page.goto(`${product.url}/user/dashboard`)
  const waits = panel('Needs attention')
  await waits.getByText('1 domain not verified').waitFor()
  // How far the numbers reach is shown below them, and not covered by what comes next.
  const told = page.getByText(/^Data until/).first()
  const room = async () =>
    (await panel('Bandwidth').boundingBox())!.y - ((await told.boundingBox())!.y + (await told.boundingBox())!.height)
  await expect.poll(room).toBeGreaterThan(0)
  await waits.getByRole('link', { name: 'shop.example.com' }).click()
  await page.waitForURL(/tab=domains/)
})

test('a dashboard is arranged by keyboard and by pointer, and stays so', async () => {
  await page.goto(`${product.url}/user/dashboard`)
  await page.getByRole('button', { name: 'Edit layout' }).click()
  const order = () =>
    page
      .getByRole('button', { name: /^Move / })
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')!.split(':')[0]))
  await expect
    .poll(async () => (await order()).slice(0, 3))
    .toEqual(['Move Requests', 'Move Bandwidth', 'Move Status codes'])
  await page.getByRole('button', { name: /^Move Status codes/ }).focus()
  await page.keyboard.press('ArrowUp')
  await until('it to go first', async () => (await order())[0] === 'Move Status codes')
  await page.getByRole('button', { name: /^Move Cache/ }).focus()
  await page.keyboard.press('Delete')
  await until('it to go', async () => !(await order()).includes('Move Cache'))
  const grip = page.getByRole('button', { name: /^Move Bandwidth/ })
  await settled(page)
  await grip.scrollIntoViewIfNeeded()
  const from = (await grip.boundingBox())!
  await page.mouse.move(from.x + 5, from.y + 5)
  await page.mouse.down()
  await page.mouse.move(from.x + 400, from.y + 330, { steps: 8 })
  await page.mouse.up()
  const arranged = await until('it to be put down', async () => {
    const now = await order()
    return now.indexOf('Move Bandwidth') > 1 && now
  })
  await page.getByRole('button', { name: 'Add widget' }).click()
  await page.getByRole('menuitem', { name: 'Methods' }).click()
  const filled = await until('the new widget', async () => {
    const now = await order()
    return now.includes('Move Methods') && now
  })
  expect(filled.filter((name) => name !== 'Move Methods')).toEqual(arranged)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Dashboard saved').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Edit layout' }).click()
  await expect.poll(order).toEqual(filled)
})

test('a custom dashboard is made, filled and removed', async () => {
  await page.goto(`${product.url}/user/dataAnalysis/statisticsCustomize`)
  await page.getByRole('button', { name: 'New dashboard' }).click()
  await page.getByLabel('Name').fill('Attacks')
  await page.keyboard.press('Enter')
  await page.getByText('No widgets yet').waitFor()
  await page.getByRole('button', { name: 'Edit layout' }).click()
  await page.getByRole('button', { name: 'Add widget' }).click()
  await page.getByRole('menuitem', { name: 'Top attacking IPs' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Dashboard saved').waitFor()
  await page.reload()
  await panel('Top attacking IPs').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await until('its tab to be gone', async () => (await page.getByRole('link', { name: 'Attacks' }).count()) === 0)
})
