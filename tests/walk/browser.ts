/** A person at a real Chromium: signs in, opens pages, reads what they show. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Tier } from '@breakwater/contract/tiers.ts'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Product } from '../harness/product.ts'
import { until } from '../harness/until.ts'
import { openPages } from './open-pages.ts'
import { watchRequests, whenStill } from './settled.ts'

export type { BrowserContext, Locator, Page } from 'playwright-core'

/**
 * Chromium without its own windows and menus (headless shell) takes only two thirds of the CPU time, and shows the same
 * pages.
 */
const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell'
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const accountOf = { user: 'customer', client: 'operator', admin: 'vendor' } as const

export const openBrowser = (executablePath = chromiumPath): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

/** A new person: own cookies, English unless set otherwise. An uncaught error in a page fails the test. */
export async function person(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  return tab(await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US', ...options }))
}

/** Another tab of the same person. */
export async function tab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  openPages.add(page)
  page.once('close', () => openPages.delete(page))
  // A generous timeout, not a limit: a machine with other load must not fail a test.
  page.setDefaultTimeout(90_000)
  watchRequests(page)
  page.on('pageerror', (error) => {
    throw error
  })
  return page
}

/**
 * Closes a person whose calls are answered by the test's routes: a call that is being answered at that moment is
 * dropped.
 */
export async function leave(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().close()
}

export async function signIn(page: Page, product: Pick<Product, 'url' | 'accounts'>, tier: Tier): Promise<void> {
  await page.goto(`${product.url}/${tier}/login`)
  await page.getByLabel('Account or e-mail').fill(product.accounts[accountOf[tier]])
  await page.getByLabel('Password', { exact: true }).fill(product.accounts.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`**/${tier}/dashboard`)
}

type Router = {
  navigate: (to: { href: string }) => Promise<void>
  state: { status: string; location: { href: string }; resolvedLocation?: { href: string } }
}

/** Navigates within the open console as a link does, without reloading it. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(
    (href) => (globalThis as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__.navigate({ href }),
    path,
  )
  await page.waitForFunction(() => {
    const { status, location, resolvedLocation } = (globalThis as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__
      .state
    return status === 'idle' && resolvedLocation?.href === location.href
  })
}

/** Opens a page of the console by its navigation group and its name. */
export async function openByNavigation(page: Page, group: string, name: string): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Main navigation' })
  const head = menu.getByRole('button', { name: group, exact: true })
  // It may open by itself just before the click, along with the current page.
  await until(`the group ${group} to be open`, async () => {
    if ((await head.getAttribute('aria-expanded')) === 'true') return true
    await head.click()
  })
  await menu.getByRole('link', { name, exact: true }).click()
}

/** Opens a page, or runs a command, from the account menu. */
export async function openByAccountMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

type RunOnly = { type: 'tag' | 'rule'; values: string[] }
const standards: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}

/**
 * Violations that axe finds of WCAG 2.2 AA and its best practices, or only of the given rules, once the page is still:
 * one string each.
 */
export async function accessibilityFaults(page: Page, rules = standards): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  // Elements half covered by the top bar would count as too small to press.
  await page.evaluate('scrollTo(0, 0)')
  // Violations only, and without selectors: those cost as much as the check itself.
  const options = { runOnly: rules, resultTypes: ['violations'], selectors: false, preload: { assets: ['media'] } }
  const { violations } = await whenStill<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    page,
    `axe.run('html', ${JSON.stringify(options)})`,
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
