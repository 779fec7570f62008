/// <reference lib="dom" />
/**
 * What the console says is true, typed input is kept, and the next action is close: saves with Undo, history, Explain,
 * palette, an outage.
 */
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Origin, startOrigin } from '../harness/origin.ts'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { openTenant } from '../harness/tenant.ts'
import { until } from '../harness/until.ts'
import { openBrowser, person, signIn, tab } from './browser.ts'
import { settled, whenStill } from './settled.ts'

let product: SharedProduct
let origin: Origin
let browser: Browser
let page: Page
let shop: Shop

beforeAll(async () => {
  origin = await startOrigin()
  ;[product, browser] = await Promise.all([openTenant('plain'), openBrowser()])
  shop = await openShop(product, origin.port)
  page = await person(browser)
  await signIn(page, product, 'user')
})
afterAll(async () => {
  await browser?.close()
  await origin?.stop()
})

const of = (tabName: string, more = '') =>
  `${product.url}/user/sitesManagement/sitesSetting/${shop.siteID}/shop?tab=${tabName}${more}`
const denied = async () => (await shop.change('GET', `${shop.of}/firewall/l7/blacklists`)) as { ips: string[] }[]
const dialog = () => page.getByRole('dialog')
const save = () => dialog().getByRole('button', { name: 'Save' }).click()

test('a deny rule warns of one’s own address, rejects an end in the past on its field, and offers ends to choose from', async () => {
  await page.goto(of('denyList', '&edit=new'))
  await page.getByLabel('Addresses').fill('127.0.0.0/8')
  await page.getByText('your own address 127.0.0.1').waitFor()
  await page.getByLabel('Addresses').fill('198.51.100.7')
  await page.getByText('your own address').waitFor({ state: 'detached' })
  await page.getByLabel('Expires').fill('2020-01-01 10:00')
  await save()
  await dialog().getByText('Must be in the future').waitFor()
  await dialog()
    .getByText(/^Time zone: /)
    .waitFor()
  await dialog().getByRole('button', { name: '7 d', exact: true }).click()
  await dialog().getByRole('button', { name: 'Never', exact: true }).click()
  await expect.poll(() => page.getByLabel('Expires').inputValue()).toBe('')
})

test('a save says what changed and where it is live, and Undo reverts it', async () => {
  await save()
  const told = page.getByText(/^Deny rule added: When the address is 198\.51\.100\.7, then block · Live on 1 of 1 node/)
  await told.waitFor()
  expect((await denied()).length).toBe(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').waitFor()
  expect(await denied()).toEqual([])
  await page.getByText('No deny rules yet').waitFor()
})

test('a save that changes no site neither repeats an earlier change nor reverts it', async () => {
  await page.goto(of('urlRedirect'))
  await page.getByRole('button', { name: 'Add module' }).first().click()
  await dialog().getByLabel('Name').fill('bound to nothing')
  await dialog().getByRole('button', { name: 'Add module' }).click()
  await page.getByText('Module added').waitFor()
  await whenStill(page)
  expect(await page.getByText(/Deny rule/).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
})

test('a save reports its own changes, and not what somebody else saved a moment later', async () => {
  const other = await tab(page.context())
  await other.route(`**${shop.of}/firewall/l7/blacklists`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const response = await route.fetch()
    await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, { ips: ['203.0.113.99'] })
    await route.fulfill({ response })
  })
  await other.goto(of('denyList', '&edit=new'))
  await other.getByLabel('Addresses').fill('198.51.100.9')
  await other.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await other.getByText(/^Deny rule added: When the address is 198\.51\.100\.9, then block/).waitFor()
  await other.getByRole('button', { name: 'Undo' }).click()
  await other.getByText('The settings have changed since').first().waitFor()
  expect((await denied()).length).toBe(2)
  await other.close()
  const ids = ((await denied()) as unknown as { id: number }[]).map(({ id }) => id)
  await shop.change('DELETE', `${shop.of}/firewall/l7/blacklists`, { ids })
})

test('the message of a save stays until it is live, however long that takes', async () => {
  const before = page
  page = await tab(before.context())
  const publishing = `**${shop.of}/publish`
  const notLive = async (route: Route) => {
    const reply = await route.fetch()
    const { data } = await reply.json()
    await route.fulfill({ response: reply, json: { data: { ...data, live: 0, settled: false } } })
  }
  await page.route(publishing, notLive)
  await page.goto(of('denyList', '&edit=new'))
  await page.clock.install()
  await page.getByLabel('Addresses').fill('198.51.100.8')
  await save()
  const told = page.getByText(/^Deny rule added: When the address is 198\.51\.100\.8/)
  await told.waitFor()
  // Longer than any message is normally shown.
  await page.clock.fastForward(15_000)
  expect(await told.isVisible()).toBe(true)
  // Wait for the call that is being answered: it cannot be answered twice.
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByText(/198\.51\.100\.8, then block · Live on 1 of 1 node/).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').waitFor()
  await page.close()
  page = before
})

test('a node that is away is named with when it was last heard from, and nothing waits for it', async () => {
  const other = await tab(page.context())
  const waiting = [{ node: 'edge-far', lastSeen: '2026-01-02T03:04:05.000Z', isAway: true }]
  await other.route(`**${shop.of}/publish`, async (route) => {
    const reply = await route.fetch()
    const { data } = await reply.json()
    await route.fulfill({ response: reply, json: { data: { ...data, nodes: 2, live: 1, waiting, settled: true } } })
  })
  await other.goto(of('overview'))
  await other.getByText(/^edge-far has not reported since Jan 2, 2026, 03:04:05/).waitFor()
  await other.getByText('Live on 1 of 2 nodes').first().waitFor()
  // Each part of the page notices it independently.
  await expect.poll(() => other.getByText(/^Applying/).count()).toBe(0)
  // Wait for the call that is being answered: it cannot be answered twice.
  await other.unrouteAll({ behavior: 'wait' })
  await other.close()
})

test('at a URL that does not exist the frame of the console stays, with links that lead on', async () => {
  await page.goto(`${product.url}/user/nothing/here`)
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
  const stranger = await person(browser)
  await stranger.goto(`${product.url}/user/nothing/here`)
  await stranger.waitForURL('**/404')
  await stranger.context().close()
})

test('the history is shown in sentences, and a comparison has its own URL', async () => {
  await page.goto(of('history'))
  await page.getByRole('button', { name: /^Deny rule added: When the address is 198\.51\.100\.7/ }).click()
  await dialog()
    .getByText(/^Deny rule added/)
    .waitFor()
  expect(new URL(page.url()).searchParams.get('compare')).toMatch(/^"?\d+-\d+"?$/)
  const other = await tab(page.context())
  await other.goto(page.url())
  await other
    .getByRole('dialog')
    .getByText(/^Deny rule added/)
    .waitFor()
  await other.close()
  await page.goBack()
  await dialog().waitFor({ state: 'detached' })
  // Somebody else was faster: what is to be removed is gone.
  await shop.change('DELETE', `${shop.of}/firewall/l7/blacklists`, { ids: [999_999] })
  await page.goto(of('history'))
  await page.getByText('(no changes)').waitFor()
})

test('the palette works with synonyms, in another language, on an address, and finds a domain', async () => {
  const ask = async (text: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill(text)
  }
  const option = (name: string | RegExp) => page.getByRole('option', { name })
  await ask('flush')
  await option('Purge cache').click()
  await dialog().getByRole('heading', { name: /Purge/ }).waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await ask('白名單')
  await option('Add allow rule').click()
  await dialog().getByLabel('Addresses').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await ask('203.0.113.9')
  await option('Block 203.0.113.9').click()
  await expect.poll(() => dialog().getByLabel('Addresses').inputValue()).toBe('203.0.113.9')
  await page.keyboard.press('Escape')
  const discard = page.getByRole('button', { name: 'Discard' })
  await until('the form to be left', async () => {
    if (await discard.isVisible()) await discard.click({ timeout: 5_000 })
    return (await dialog().count()) === 0
  })
  await page.goto(of('overview'))
  await page.getByRole('heading', { name: 'shop', level: 1 }).waitFor()
  await ask('shop.example')
  await option(/^shop\.example\.com/).click()
  await dialog().getByRole('heading', { name: 'shop.example.com' }).waitFor()
  // Of all sites, from any page.
  await page.goto(`${product.url}/user/dataAnalysis/explain`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await ask('shop.example')
  await option(/^shop\.example\.com/).click()
  await dialog().getByRole('heading', { name: 'shop.example.com' }).waitFor()
})

test('the operator pauses a site from the palette, and resumes it', async () => {
  const operator = await person(browser)
  await signIn(operator, product, 'client')
  await operator.goto(`${product.url}/client/sitesManagement/sitesSetting/${shop.siteID}/shop`)
  await operator.getByRole('heading', { name: 'shop', level: 1 }).waitFor()
  await operator.keyboard.press('Control+k')
  await operator.getByRole('combobox', { name: 'Search or run a command' }).fill('maintenance')
  await operator.getByRole('option', { name: 'Pause or resume site' }).click()
  const asked = operator.getByRole('dialog', { name: 'Pause shop?' })
  await asked.getByRole('button', { name: 'Pause' }).click()
  await until('the site to be paused', async () => (await shop.visit('/paused')).status === 403)
  await operator.getByRole('button', { name: 'Resume' }).click()
  await operator.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await until('the site to serve', async () => (await shop.visit('/served')).status !== 403)
  await operator.context().close()
})

test('the progress of a purge survives a reload of the page', async () => {
  const other = await tab(page.context())
  const status = `**${shop.of}/cache/purge/*`
  await other.route(status, (route) => route.fulfill({ json: { data: { done: 0, nodes: 1, away: 0, failed: [] } } }))
  await other.goto(of('cache'))
  let taskId = 0
  other.on('response', async (response) => {
    if (response.request().method() !== 'DELETE' || !response.url().endsWith('/cache')) return
    taskId = (await response.json()).data.taskID
  })
  await other.getByRole('button', { name: 'Purge cache' }).click()
  await other.getByRole('dialog').getByLabel('URLs').fill('https://shop.example.com/purged')
  await other.getByRole('dialog').getByRole('button', { name: 'Purge cache' }).click()
  const progress = other.getByRole('status').filter({ hasText: 'Purged on nodes: 0 of 1' })
  await progress.waitFor()
  await other.reload()
  await progress.waitFor()
  await until(
    'the node to have purged',
    async () => (await shop.change('GET', `${shop.of}/cache/purge/${taskId}`)).done === 1,
  )
  await other.unrouteAll({ behavior: 'wait' })
  await other.getByRole('status').filter({ hasText: 'Purged on nodes: 1 of 1' }).first().waitFor()
  await other.close()
})

test('from Explain one opens the rule, sets it to observe and allows the address, each in the editor with its trial', async () => {
  await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, { ips: ['127.0.0.1'] })
  await shop.live()
  const refused = await shop.visit('/explained', { accept: 'text/html' })
  expect(refused.status).toBe(403)
  const reference = /[A-Za-z0-9_-]{55}/.exec(refused.body)![0]
  const explain = `${product.url}/user/dataAnalysis/explain?reference=${reference}`
  await page.goto(explain)
  // The log row follows the refusal by a moment, and the page loads it by itself.
  await until('the row', async () => {
    await page.goto(explain)
    await page.getByRole('link', { name: 'Set to observe' }).waitFor()
    await settled(page)
    return (await page.getByRole('link', { name: 'Allow 127.0.0.1' }).count()) === 1
  })
  await page.getByRole('link', { name: 'Set to observe' }).click()
  await dialog()
    .getByRole('button', { name: /Save and observe/ })
    .waitFor()
  await dialog().getByRole('button', { name: /Try/ }).waitFor()
  await page.goto(explain)
  await page.getByRole('link', { name: 'Allow 127.0.0.1' }).click()
  await expect.poll(() => dialog().getByLabel('Addresses').inputValue()).toBe('127.0.0.1')
  await dialog().getByRole('button', { name: /Try/ }).waitFor()
})

test('from the log of a site a request is explained in that site, and one can go back to the log', async () => {
  await page.goto(of('logs', '&view=search'))
  await page.getByRole('row').filter({ hasText: '/explained' }).getByText('GET', { exact: true }).first().click()
  await dialog().getByRole('link', { name: 'Explain' }).click()
  await page.getByText('Decided by').first().waitFor()
  const reference = new URL(page.url()).searchParams.get('reference')!
  const navigation = page.getByRole('navigation', { name: 'Main navigation' })
  await navigation.getByRole('link', { name: 'All sites' }).waitFor()
  await navigation.getByRole('link', { name: 'Explain', exact: true }).waitFor()
  await navigation.getByRole('link', { name: 'Logs', exact: true }).click()
  await page.getByRole('heading', { name: 'Access log', level: 1 }).waitFor()
  expect(page.url()).toContain(`/sitesSetting/${shop.siteID}/`)
  // A request of this site that is looked up inside another one is explained here.
  const { siteID } = (await shop.change('POST', '/user/site', { siteName: 'elsewhere' })) as { siteID: number }
  await page.goto(`${product.url}/user/sitesManagement/sitesSetting/${siteID}/elsewhere?tab=explain`)
  await page.getByLabel('Reference or request id').fill(reference)
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  await page.getByText('Decided by').first().waitFor()
  expect(page.url()).toContain(`/sitesSetting/${shop.siteID}/`)
})

test('a row of the log opens wherever it is clicked, and Back closes it and not the log', async () => {
  await page.goto(`${product.url}/user/dataAnalysis/logger?view=search`)
  await page.getByRole('row').filter({ hasText: '/explained' }).getByText('GET', { exact: true }).first().click()
  await dialog().waitFor()
  await page.goBack()
  await dialog().waitFor({ state: 'detached' })
  expect(page.url()).toContain('/dataAnalysis/logger')
})

test('a site’s first page has the last requests before their step of the chart is over', async () => {
  await until('the chart', async () => {
    await page.goto(of('overview'))
    const chart = page.getByRole('figure', { name: 'Requests, last 24 hours' })
    await chart.getByRole('button').first().waitFor()
    await settled(page)
    return (await chart.getByText('No data in this time range').count()) === 0
  })
})

test('while the server does not answer the page says so, since when, and claims nothing to be live', async () => {
  await page.goto(of('denyList'))
  await page.getByText('Live on 1 of 1 node').first().waitFor()
  await page.getByRole('switch', { name: 'Enable this rule' }).waitFor()
  await page.context().setOffline(true)
  const banner = page.getByRole('alert').filter({ hasText: 'The server is not responding.' })
  await banner.getByText(/Data as of /).waitFor()
  await page.getByText('Status unknown').waitFor()
  // Each part of the page notices it independently.
  await expect.poll(() => page.getByText('Live on 1 of 1 node').count()).toBe(0)
  await page.getByRole('switch', { name: 'Enable this rule' }).click()
  // It fails at once, instead of going through later when nobody expects it any more.
  await page.getByText('The server cannot be reached. Check your network and try again.').first().waitFor()
  await page.context().setOffline(false)
  await banner.waitFor({ state: 'detached' })
  await page.getByText('Live on 1 of 1 node').first().waitFor()
  expect(((await denied()) as { enabled?: boolean }[]).map(({ enabled }) => enabled)).toEqual([true])
})

test('a name of two hundred letters leaves enough room for the other columns', async () => {
  const siteName = `long ${'name '.repeat(39)}`.trim()
  await shop.change('POST', '/user/site', { siteName })
  await page.goto(`${product.url}/user/sitesManagement/sites`)
  const row = page.getByRole('row').filter({ hasText: 'long name' })
  await row.getByText('Normal').waitFor()
  await settled(page)
  const box = (await row.getByText('Normal').boundingBox())!
  expect(box.x + box.width).toBeLessThan(1440)
})
