/**
 * What a first visit loads, by page, as transferred: all scripts and styles, gzipped, without fonts and pictures. And
 * what does not depend on the machine's speed: the number of files and calls, and the parts that must not be loaded
 * before they are needed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openTenant } from '../harness/tenant.ts'
import { openBrowser, person, signIn } from './browser.ts'
import { dist, firstVisit, sumKB } from './first-visit.ts'

let product: SharedProduct
let browser: Browser
let session: Awaited<ReturnType<BrowserContext['storageState']>>

beforeAll(async () => {
  ;[product, browser] = await Promise.all([openTenant('budgets'), openBrowser()])
  const page = await person(browser)
  await signIn(page, product, 'user')
  session = await page.context().storageState()
  await page.context().close()
})
afterAll(async () => {
  await browser?.close()
})

/** A word that only the code of a part contains, and that survives minifying. */
const parts = { chart: 'u-over', map: 'LineString', editor: 'cm-content', toasts: 'data-swipe-direction' }
type Part = keyof typeof parts

function partsOf(files: Iterable<string>): Part[] {
  const texts = [...files].map((name) => readFileSync(join(dist, name), 'utf8'))
  return (Object.keys(parts) as Part[]).filter((part) => texts.some((text) => text.includes(parts[part])))
}

test('each lazily loaded part can be recognized by its word', () => {
  const built = readdirSync(join(dist, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => `assets/${name}`)
  const editor = relative(dist, createRequire(import.meta.url).resolve('@codemirror/view'))
  expect(partsOf([...built, editor])).toEqual(Object.keys(parts))
})

type Budget = {
  page: string
  path: string
  ready: string
  budgetKB: number
  files: number
  calls: number
  late: Part[]
}
const budgets: Budget[] = [
  {
    ...{ page: 'sign-in', path: '/user/login', ready: 'input[type=password]' },
    ...{ budgetKB: 190, files: 25, calls: 2, late: [] },
  },
  {
    ...{ page: 'a table', path: '/user/sitesManagement/sites', ready: 'table' },
    ...{ budgetKB: 260, files: 36, calls: 5, late: [] },
  },
  {
    ...{ page: 'statistics', path: '/user/dataAnalysis/statistics', ready: 'canvas' },
    ...{ budgetKB: 298, files: 40, calls: 27, late: ['chart'] },
  },
]

test.each(budgets)(
  '$page loads at most $budgetKB KB in $files files and makes $calls calls, and of the lazily loaded parts: $late',
  async ({ page, path, ready, budgetKB, files, calls, late }) => {
    const opened = await person(browser, page === 'sign-in' ? {} : { storageState: session })
    const found = await firstVisit(opened, product.url + path, ready)
    await opened.context().close()
    const sum = sumKB(found)
    expect(found.unpacked).toEqual([])
    const largest = [...found.sizes].sort(([, one], [, other]) => other - one).slice(0, 12)
    expect(sum, largest.map(([name, size]) => `${(size / 1000).toFixed(1)} ${name}`).join('\n')).toBeLessThan(budgetKB)
    expect(sum).toBeGreaterThan(50)
    expect(found.sizes.size).toBeLessThanOrEqual(files)
    expect(found.calls.length, found.calls.join('\n')).toBeLessThanOrEqual(calls)
    expect(partsOf(found.sizes.keys())).toEqual(late)
  },
)
