/**
 * The first user journey, in a real browser: from the sign-in page to a site that serves, refuses, explains, challenges
 * and is restored.
 */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsServerUnderTest, startDnsServer } from '../../server/src/testing/dns-server.ts'
import { signIn as signInByApi } from '../harness/api.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { watchPace } from '../harness/pace.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { until } from '../harness/until.ts'
import { openBrowser, openByNavigation, person, signIn, tab } from './browser.ts'

let product: Product
let origin: Origin
let dns: DnsServerUnderTest
let browser: Browser
let page: Page
let previewUrl: string
let siteUrl: string

beforeAll(async () => {
  dns = await startDnsServer()
  origin = await startOrigin((request, response) => {
    response
      .writeHead(200, {
        'content-type': 'text/html',
        // The browser must request the sign-in page from the edge each time.
        'cache-control': request.url?.startsWith('/login') ? 'no-store' : 'public, max-age=60',
      })
      .end(`<!doctype html><title>origin</title><p>origin says ${request.url}</p>`)
  })
  ;[product, browser] = await Promise.all([startProduct({ BREAKWATER_DNS_SERVERS: dns.at }), openBrowser()])
  page = await person(browser)
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await origin?.stop()
  await dns?.stop()
})

const said = (text: string) => page.getByText(text, { exact: true }).first().waitFor()
const save = () => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
const openTab = (tab: string) => page.goto(`${siteUrl}?tab=${tab}`)

/** A visitor's request from this machine, as a program would send it. */
function visit(path: string, accept: string): Promise<{ status: number; cache: unknown; body: string }> {
  const { host, port } = new URL(previewUrl)
  return new Promise((resolve, reject) => {
    // Not every resolver knows names below localhost; browsers do.
    const target = { host: '127.0.0.1', port, path, headers: { host, accept }, agent: false as const }
    request(target, async (response) => {
      resolve({
        status: response.statusCode ?? 0,
        cache: response.headers['x-cache'] ?? null,
        body: await text(response),
      })
    })
      .on('error', reject)
      .end()
  })
}

test('a customer signs in', async () => {
  // It is shown for some seconds only.
  await Promise.all([said('Login Success! Welcome!'), signIn(page, product, 'user')])
})

/** Counts a person's interactions: a click, or a field that is filled in. Reading and waiting do not count. */
let interactions = 0
const press = async (what: Locator) => {
  interactions += 1
  await what.click()
}
const type = async (label: string, value: string) => {
  interactions += 1
  expect(await page.locator('main input, main textarea, main [role=combobox]').count()).toBeLessThanOrEqual(fieldsMax)
  await page.getByLabel(label, { exact: true }).fill(value)
}
const fieldsMax = 5
const interactionsMax = 8
const firstSiteMaxMs = 120_000

test('the first site is live within two minutes and eight interactions, and halfway it can be left and resumed', async () => {
  const began = performance.now()
  const pace = watchPace()
  await press(page.getByRole('link', { name: 'Add your first site' }))
  await type('Domain', 'shop.harbour.example')
  // It has no DNS record: the name is suggested, the origin is asked for.
  await page.getByText('shop.harbour.example has no DNS record yet. Enter the origin yourself.').waitFor()
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('shop.harbour.example')
  await type('Name', 'Harbour shop')
  const context = page.context()
  await page.close()
  page = await tab(context)
  await page.goto(`${product.url}/user`)
  await press(page.getByRole('link', { name: 'Add your first site' }))
  await expect.poll(() => page.getByLabel('Domain', { exact: true }).inputValue()).toBe('shop.harbour.example')
  await type('Origin', `127.0.0.1:${origin.port}`)
  await page.getByText(/^Answered 200 in/).waitFor()
  await press(page.getByRole('button', { name: 'Go live' }))
  await said('Live on 1 of 1 node')
  previewUrl = (await page.getByRole('link', { name: /localhost/ }).getAttribute('href'))!
  expect(await visit('/first', 'text/html')).toMatchObject({ status: 200 })
  const took = performance.now() - began
  console.log(`first site: ${(took / 1000).toFixed(1)} s and ${interactions} interactions, left half way once`)
  expect(interactions).toBeLessThanOrEqual(interactionsMax)
  expect(took).toBeLessThan(pace.within(firstSiteMaxMs))
  pace.stop()
})

/** Where the product says that the site's DNS should point: it depends on the machine's addresses. */
async function advisedAddress(): Promise<string> {
  const { customer, password } = product.accounts
  const api = await signInByApi(product.url, 'user', customer, password)
  const id = /sitesSetting\/(\d+)/.exec(siteUrl)![1]
  return (await api.call('GET', `/user/site/${id}`)).body.data.preview.addresses[0]
}

test('the checklist follows the DNS: no record, somebody else’s, ours; one may leave it and come back', async () => {
  const steps = page.getByRole('region', { name: 'Go-live checklist' })
  await steps.getByText('No record found yet').waitFor()
  dns.set('shop.harbour.example', 'A', '198.41.0.9')
  await page.getByRole('link', { name: 'Open site' }).click()
  await page.getByRole('heading', { name: 'Harbour shop', level: 1 }).waitFor()
  siteUrl = page.url().split('?')[0]!
  await page.reload()
  await steps.getByText('Found, but points to 198.41.0.9').waitFor()
  const name = await page.getByText('_breakwater.shop.harbour.example').textContent()
  const value = await page.getByText(/^breakwater=/).textContent()
  dns.set(name!, 'TXT', value!)
  dns.set('shop.harbour.example', 'A', await advisedAddress())
  // Everything is done: the checklist disappears.
  await steps.waitFor({ state: 'detached' })
  expect(await page.getByText('_breakwater.shop.harbour.example').count()).toBe(0)
})

test('sees the first two requests in the live log, the second from the cache', async () => {
  await page.goto(`${product.url}/user/dataAnalysis/logger`)
  await said('Live')
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
  expect(await visit('/hello', 'text/html')).toMatchObject({ status: 200, cache: 'MISS' })
  // A visitor may receive a response a moment before it is stored in the cache.
  await expect.poll(() => visit('/hello', 'text/html')).toMatchObject({ status: 200, cache: 'HIT' })
  const row = (cache: string) => page.getByRole('row').filter({ hasText: '/hello' }).filter({ hasText: cache })
  await row('MISS').first().waitFor()
  await row('HIT').first().waitFor()
})

test('denies its own address: the next request is refused, and its reference explained', async () => {
  await openTab('denyList')
  await page.getByRole('button', { name: 'Add rule' }).first().click()
  await page.getByLabel('Addresses').fill('127.0.0.1\n::1')
  await save()
  await said('SET SUCCESS')
  const refused = await until('the refusal', async () => {
    const answer = await visit('/hello', 'text/html')
    return answer.status === 403 && answer
  })
  const reference = /[A-Za-z0-9_-]{55}/.exec(refused.body)![0]
  await page.getByRole('link', { name: 'All sites', exact: true }).click()
  await openByNavigation(page, 'Logs', 'Explain')
  await page.getByLabel('Reference or request id').fill(reference)
  await page.keyboard.press('Enter')
  await said('Blocked')
  await said('Decided by Deny list')
})

test('switches the rule off, and adds a rate rule with the five-second shield', async () => {
  await openTab('denyList')
  await page.getByRole('switch', { name: 'Enable this rule' }).click()
  await until('the site to be open', async () => (await visit('/hello', 'text/html')).status === 200)
  await openTab('rateRules')
  await page.getByRole('button', { name: 'Add rule' }).first().click()
  await page.getByLabel('URL expression').fill('^/login')
  await page.getByLabel('Requests per second').fill('1')
  await page.getByLabel('Burst').fill('0')
  await save()
  await said('Rate Added Success!')
  await until('a program to be challenged', async () => (await visit('/login', 'application/json')).status >= 400)
  const problem = await until('a JSON problem', async () => {
    const answer = await visit('/login', 'application/json')
    return answer.status >= 400 && answer
  })
  expect(JSON.parse(problem.body)).toMatchObject({ reference: expect.any(String) })
})

test('a real browser passes the shield and stays passed', async () => {
  const visitor = await person(browser)
  await until('the shield to be met', async () => {
    let isThere = false
    const arrival = visitor.goto(new URL('/login', previewUrl).href).finally(() => {
      isThere = true
    })
    // However slow the browser's requests are: others from its address exceed one per second.
    while (!isThere) await visit('/login', 'application/json')
    await arrival
    return !(await visitor.content()).includes('origin says')
  })
  await visitor.getByText('origin says /login').waitFor()
  await visitor.goto(new URL('/login?again', previewUrl).href)
  await visitor.getByText('origin says /login').waitFor()
  await visitor.context().close()
})

const isInSight = (element: Element) => {
  const { left, top } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(left + 2, top + 2))
}

test('restores an earlier revision after reviewing what changes', async () => {
  await openTab('history')
  const deny = page.getByRole('row').filter({ hasText: /Domain .* added/ })
  await deny.getByRole('button', { name: /^Restore/ }).click()
  const dialog = page.getByRole('dialog')
  // The summary is visible, and what is removed is listed in sentences.
  await expect.poll(() => dialog.getByText(/Removes \d+ item/).evaluate(isInSight)).toBe(true)
  await dialog
    .getByText(/^Rate rule removed: When/)
    .first()
    .waitFor()
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await said('SET SUCCESS')
  await until('the rules to be gone', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => visit('/login', 'application/json')))
    return answers.every(({ status }) => status === 200)
  })
  await openTab('denyList')
  await said('No deny rules yet')
})

test('the operator sees the node: online, up to date, its load', async () => {
  const operator = await person(browser)
  await signIn(operator, product, 'client')
  await openByNavigation(operator, 'Network', 'Nodes')
  const node = operator.getByRole('row').filter({ hasText: '127.0.0.1' })
  await node.getByText('Online').waitFor()
  await node.getByText(/^Up to date/).waitFor()
  await node.getByRole('button').first().click()
  await operator.getByRole('dialog').getByText('nginx', { exact: true }).waitFor()
  await operator.context().close()
})

test('signs out, and the console requires a new sign-in', async () => {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await said('Logout success! See you!')
  await page.goto(siteUrl)
  await page.waitForURL('**/user/login**')
})
