/** A person at a real Chromium: signs in, opens pages, reads what they say. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Product } from '../harness/product.ts'
import { openPages } from './open-pages.ts'

export type { BrowserContext, Locator, Page } from 'playwright-core'

const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export type Door = 'user' | 'client' | 'admin'
const accountOf = { user: 'customer', client: 'operator', admin: 'vendor' } as const

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

/** A fresh person: own cookies, English unless said otherwise. What breaks in a page breaks the test. */
export async function person(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  return tab(await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US', ...options }))
}

/** Another tab of a person. */
export async function tab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  openPages.add(page)
  page.once('close', () => openPages.delete(page))
  // Patience, not a limit: a machine that others load too must not fail a test.
  page.setDefaultTimeout(30_000)
  page.on('pageerror', (error) => {
    throw error
  })
  return page
}

export async function signIn(page: Page, product: Pick<Product, 'url' | 'accounts'>, door: Door): Promise<void> {
  await page.goto(`${product.url}/${door}/login`)
  await page.getByLabel('Account or e-mail').fill(product.accounts[accountOf[door]])
  await page.getByLabel('Password', { exact: true }).fill(product.accounts.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`**/${door}/dashboard`)
}

type RunOnly = { type: 'tag' | 'rule'; values: string[] }
const standards: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}

/** What axe finds against WCAG 2.2 AA and its best practices, or only by some of its rules: a sentence a finding. */
export async function accessibilityFaults(page: Page, rules = standards): Promise<string[]> {
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate(
    (runOnly) =>
      (
        globalThis as unknown as {
          axe: {
            run: (root: string, options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
          }
        }
      ).axe.run('html', { runOnly }),
    rules,
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
