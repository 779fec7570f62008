/// <reference lib="dom" />
/** Every text that people, visitors and tokens can put into the product is a script; no screen may run it. */
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn as apiOf } from '../harness/api.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { until } from '../harness/until.ts'
import { goWithin, openBrowser, person, signIn } from '../walk/browser.ts'
import { screensOf } from '../walk/screens.ts'

/** Breaks out of attributes, scripts, titles and text areas, and runs without a script element too. */
const script = `'"></title></textarea></script><img src=x onerror=ran()><svg onload=ran()><script>ran()</script>`

let product: Product
let origin: Origin
let browser: Browser
let shop: Shop

beforeAll(async () => {
  origin = await startOrigin()
  ;[product, browser] = await Promise.all([startProduct(), openBrowser()])
  shop = await openShop(product, origin.port)
  await fillCustomer()
  await fillOperator()
  await fillVendor()
  await visit()
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await origin?.stop()
})

async function fillCustomer() {
  const { change, of } = shop
  await change('POST', '/user/site', { siteName: script, tags: [script.slice(0, 64)] })
  await change('POST', `${of}/firewall/l7/blacklists`, { ips: ['192.0.2.1'], memo: script })
  await change('POST', `${of}/firewall/l7/whitelists`, { ips: ['192.0.2.2'], memo: script })
  await change('POST', `${of}/firewall/l7/secondRates`, {
    urlRegex: '^/<img src=x onerror=ran()>',
    rate: 1,
    burst: 1,
    memo: script,
  })
  await change('POST', `${of}/firewall/l7/bodyRules`, {
    urlRegex: '^/',
    contains: script,
    memo: script,
    mode: 'observe',
  })
  const { ids } = await change('POST', `${of}/module/customHeaders`, { modules: [{ name: script, memo: script }] })
  await change('POST', `${of}/module/customHeader/${ids[0]}/headers`, {
    items: [{ type: 'response', key: 'X-A', value: script }],
  })
  const { id } = await change('POST', '/user/roles', { name: script, memo: script, permissions: ['sites.read'] })
  const person = { auth: 'user', name: script, account: 'scripted', email: 'scripted@example.com', roleIDs: [id] }
  await change('POST', '/user/account', person)
  await change('POST', '/apiToken', { name: script, memo: script })
}

async function fillOperator() {
  const operator = await apiOf(product.url, 'client', product.accounts.operator, product.accounts.password)
  const text = { title: script, content: script }
  const saved = [
    await operator.call('POST', '/client/setting/announcement', { texts: { zh_TW: text, zh_CN: text, en_US: text } }),
    await operator.call('POST', '/client/roles', { name: script, memo: script, permissions: ['sites.read'] }),
  ]
  const form = new FormData()
  const brand = { title: script, subTitle: script, description: script, copyright: script, version: script }
  for (const [name, value] of Object.entries({ ...brand, tiers: 'user,client', hosts: '' })) form.set(name, value)
  const { authorization } = operator
  const address = `${product.url}/api/v1/client/setting/logo`
  const reply = await fetch(address, { method: 'POST', headers: { authorization }, body: form })
  expect([...saved.map(({ status }) => status), reply.status]).toEqual([200, 200, 200])
}

async function fillVendor() {
  const vendor = await apiOf(product.url, 'admin', product.accounts.vendor, product.accounts.password)
  const person = { auth: 'client', name: script, account: 'scripted-two', email: 'scripted@example.com' }
  expect((await vendor.call('POST', '/admin/account', person)).status).toBe(200)
}

/** A visitor whose path, query, User-Agent and Referer are scripts; and a failed sign-in with such a name. */
async function visit() {
  const sent = { 'user-agent': script, referer: `https://x.example/${script}`, 'x-forwarded-for': script }
  const path = `/${encodeURIComponent(script)}?q=${encodeURIComponent(script)}`
  for (let n = 0; n < 3; n += 1) await shop.visit(path, sent)
  const headers = { 'content-type': 'application/json', 'user-agent': script }
  const body = JSON.stringify({ account: script.replaceAll(' ', '/'), password: 'wrong-1234' })
  await fetch(`${product.url}/api/v1/user/code`, { method: 'POST', headers, body })
  await until('the requests to be in the log', async () => {
    const now = Math.floor(Date.now() / 1000)
    const span = { startTime: now - 3600, endTime: now + 60 }
    const { body } = await shop.api.call('POST', '/user/logs/explorer/rows', { ...span, siteIDs: [shop.siteID] })
    return body.data.rows.length > 0
  })
}

/** A page of each console that shows one of the texts. */
const surelyShown = {
  user: 'sitesManagement/sites',
  client: 'sitesManagement/sitesList',
  admin: 'userManagement/users',
} as const

/** A browser without the Content-Security-Policy: what it would block must not be there at all. */
async function bare(): Promise<{ context: BrowserContext; page: Awaited<ReturnType<typeof person>>; ran: string[] }> {
  const page = await person(browser, { bypassCSP: true, reducedMotion: 'reduce' })
  const ran: string[] = []
  await page.context().exposeBinding('ran', (source) => void ran.push(source.page.url()))
  page.on('dialog', (dialog) => void dialog.dismiss())
  return { context: page.context(), page, ran }
}

test('the trap works: a page that shows such a text as markup runs it', async () => {
  const { context, page, ran } = await bare()
  await page.goto(`${product.url}/user/login`)
  await page.evaluate((markup) => {
    document.body.insertAdjacentHTML('beforeend', markup)
  }, script)
  await until('the script to run', async () => ran.length > 0)
  await context.close()
})

describe.each(['user', 'client', 'admin'] as const)('in the %s console', (tier) => {
  test('no stored text runs as a script on any screen, nor becomes an element', async () => {
    const { context, page, ran } = await bare()
    await signIn(page, product, tier)
    const elements: string[] = []
    for (const screen of screensOf(tier)) {
      await goWithin(page, `/${tier}/${screen.replace(':site', String(shop.siteID))}`)
      await page.locator('h1').first().waitFor()
      await page.waitForFunction(() => document.querySelector('.skeleton') === null)
      // Open the first row of a list: its drawer shows what the list has no room for.
      const row = page.locator('tbody tr').first()
      if (await row.isVisible()) await row.evaluate((one) => (one as HTMLElement).click())
      await page.waitForFunction(() => document.querySelector('.skeleton') === null)
      if ((await page.locator('[onerror], [onload], img[src=x]').count()) > 0) elements.push(screen)
    }
    expect([ran, elements]).toEqual([[], []])
    // The texts were there to be run.
    await page.goto(`${product.url}/${tier}/${surelyShown[tier]}`)
    await page.getByText('onerror=ran()').filter({ visible: true }).first().waitFor()
    expect(ran).toEqual([])
    await context.close()
  })
})

test('no page that the edge or the server generates itself repeats the request as markup', async () => {
  await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, { ips: ['127.0.0.0/8'] })
  await shop.live()
  const refused = await shop.visit(`/<img src=x onerror=ran()>`.replaceAll(' ', '%20'), {
    'user-agent': script,
    referer: script,
  })
  expect([refused.status, refused.body.includes('<img src=x')]).toEqual([403, false])
  for (const path of [
    '/user/login',
    `/${script.replaceAll(' ', '%20')}`,
    '/api/v1/docs/user',
    `/api/v1/${encodeURIComponent(script)}`,
  ]) {
    const reply = await fetch(product.url + path)
    const isPage = String(reply.headers.get('content-type')).includes('html')
    expect([path, isPage && (await reply.text()).includes('<img src=x')]).toEqual([path, false])
  }
})
