/// <reference lib="dom" />
/** What a first visit loads, by page, as it travels: everything that runs or styles, gzipped; fonts and pictures aside. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Product, startProduct } from '../harness/product.ts'
import { openBrowser, person, signIn } from './browser.ts'

let product: Product
let browser: Browser
let session: Awaited<ReturnType<BrowserContext['storageState']>>

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startProduct(), openBrowser()])
  const page = await person(browser)
  await signIn(page, product, 'user')
  session = await page.context().storageState()
  await page.context().close()
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
}, 60_000)

const dist = join(import.meta.dirname, '../../console/dist')

/** Gzipped bytes by file of what a browser that was never here before gets for an address. */
async function loaded(path: string, ready: string, signedIn: boolean): Promise<Map<string, number>> {
  const page = await person(browser, signedIn ? { storageState: session } : {})
  const sizes = new Map<string, number>()
  const unpacked: string[] = []
  page.on('response', (response) => {
    if (!['script', 'stylesheet'].includes(response.request().resourceType())) return
    const name = new URL(response.url()).pathname
    if (!response.headers()['content-encoding']) unpacked.push(name)
    // The browser may have taken brotli; the budgets are said in gzip, which lies beside.
    sizes.set(name, statSync(join(dist, `${name}.gz`)).size)
  })
  await page.goto(product.url + path)
  await page.locator(ready).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.context().close()
  expect(unpacked).toEqual([])
  return sizes
}

/** The goals are 210, 290 and 330; until they are reached, this is what may not grow. */
test.each([
  { page: 'sign-in', path: '/user/login', ready: 'input[type=password]', signedIn: false, budgetKB: 225 },
  { page: 'a table', path: '/user/sitesManagement/sites', ready: 'table', signedIn: true, budgetKB: 300 },
  { page: 'statistics', path: '/user/dataAnalysis/statistics', ready: 'canvas', signedIn: true, budgetKB: 355 },
])('$page loads at most $budgetKB KB', async ({ path, ready, signedIn, budgetKB }) => {
  const sizes = await loaded(path, ready, signedIn)
  const sum = [...sizes.values()].reduce((all, size) => all + size, 0) / 1000
  const largest = [...sizes].sort(([, one], [, other]) => other - one).slice(0, 12)
  expect(sum, largest.map(([name, size]) => `${(size / 1000).toFixed(1)} ${name}`).join('\n')).toBeLessThan(budgetKB)
  expect(sum).toBeGreaterThan(50)
})
