/// <reference lib="dom" />
/** Every screen: no accessibility fault, light or dark, and no horizontal scrolling on a phone. */

import type { Tier } from '@breakwater/contract/tiers.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everything } from '../harness/everything.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { openTenant } from '../harness/tenant.ts'
import { accessibilityFaults, goWithin, leave, openBrowser, person, signIn } from './browser.ts'
import { classClashes } from './class-clashes.ts'
import { lostStates, screensOf } from './screens.ts'
import { settled } from './settled.ts'
import { forgetWhatWasHidden, noteWhatIsHidden, takenAway } from './steadiness.ts'

let product: SharedProduct
let origin: Origin
let browser: Browser
let shop: Shop

beforeAll(async () => {
  origin = await startOrigin()
  ;[product, browser] = await Promise.all([openTenant('screens'), openBrowser()])
  shop = await openShop(product, origin.port)
  await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, {
    ips: ['192.0.2.1', '198.51.100.0/24'],
    mode: 'observe',
  })
  await shop.change('POST', `${shop.of}/firewall/l7/secondRates`, { urlRegex: '^/login', rate: 5, burst: 10 })
  await shop.change('POST', `${shop.of}/setting/caches`, { type: 'image', ttl: 86_400 })
  await shop.visit('/hello')
})

afterAll(async () => {
  await browser?.close()
  await origin?.stop()
})

const tiers: Tier[] = ['user', 'client', 'admin']

test('every console has its screens, and every listed state belongs to one of them', () => {
  for (const tier of tiers) expect(screensOf(tier).length).toBeGreaterThan(7)
  expect(lostStates()).toEqual([])
})

/** Loads the console at a screen, or navigates to it within the open console. */
async function open(page: Page, tier: Tier, screen: string, go: 'load' | 'within' = 'load'): Promise<void> {
  const path = `/${tier}/${screen.replace(':site', String(shop.siteID))}`
  if (go === 'load') await page.goto(product.url + path)
  else {
    await goWithin(page, path)
    await forgetWhatWasHidden(page)
  }
  // Behind an open drawer the page is there but hidden from roles.
  await page.locator('h1').first().waitFor()
  // The message after a save is a dialog too, of another kind.
  if (screen.includes('edit=')) await page.locator('[role=dialog]:not([data-type])').waitFor()
  await settled(page)
}

/** The text of the skip link in each language: all are different. */
const skipLink = { zh_TW: '跳到內容', zh_CN: '跳到内容', en_US: 'Skip to content' } as const
type Locale = keyof typeof skipLink

/** Changes the language as another tab would, and waits until the page is in that language. */
async function speak(page: Page, locale: Locale): Promise<void> {
  await page.evaluate(([key, newValue]) => dispatchEvent(new StorageEvent('storage', { key, newValue })), [
    'breakwater.locale',
    locale,
  ] as const)
  await page.waitForFunction((text) => document.body.textContent?.includes(text), skipLink[locale])
  await settled(page)
}

/** How far a page extends past the right edge of the screen, in px. */
const excess = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

const locales = Object.keys(skipLink) as Locale[]
const themes = ['light', 'dark'] as const
/** All of them in `script/test --all`; otherwise one per screen, in turn. */
const inTurn = <T>(all: readonly T[], turn: number) => (everything ? all : [all[turn % all.length]!])

/** All faults of one screen, by the way it is viewed. */
async function faultsOf(page: Page, tier: Tier, screen: string, turn: number): Promise<Record<string, unknown>> {
  const [theme, ...otherThemes] = inTurn(themes, turn)
  await page.setViewportSize(desktop)
  await page.emulateMedia({ colorScheme: theme! })
  // Loading the console costs more than checking a screen.
  await open(page, tier, screen, everything ? 'load' : 'within')
  const faults: Record<string, unknown> = {
    [theme!]: await accessibilityFaults(page),
    classes: await classClashes(page),
    'taken away': await takenAway(page),
  }
  // Another theme has other colours, and no other differences.
  for (const other of otherThemes) {
    await page.emulateMedia({ colorScheme: other })
    await settled(page)
    faults[other] = await accessibilityFaults(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] })
  }
  await page.setViewportSize(phone)
  for (const locale of inTurn(locales, turn)) {
    await speak(page, locale)
    faults[`sideways in ${locale}`] = await excess(page)
  }
  return Object.fromEntries(Object.entries(faults).filter(([, found]) => (Array.isArray(found) ? found.length : found)))
}

test.each(themes)('the sign-in page has no accessibility fault in %s', async (colorScheme) => {
  const page = await person(browser, { colorScheme })
  await page.goto(`${product.url}/user/login`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Required').first().waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.context().close()
})

test('a list of rules with long texts fits a window of 1280 px', async () => {
  const urlRegex = '^/(?:wp-admin|administrator|phpmyadmin|manager/html)/(?:index|login|setup)\\.(?:php|aspx?|jsp)$'
  const memo = 'Keeps stolen passwords from being tried on the old administration pages of all brands'
  await shop.change('POST', `${shop.of}/firewall/l7/secondRates`, { urlRegex, rate: 5, burst: 10, memo })
  await shop.change('POST', `${shop.of}/firewall/l7/antiCCs`, { urlRegex, type: 1, blockType: 1 })
  const page = await person(browser, { viewport: { width: 1280, height: 800 } })
  await signIn(page, product, 'user')
  for (const [tab, label] of Object.entries({ rateRules: 'Rate rules', antiCC: 'Anti-CC rules' })) {
    await open(page, 'user', `sitesManagement/sitesSetting/:site/shop?tab=${tab}`)
    const list = page.getByRole('region', { name: label })
    await list.getByText(urlRegex).first().waitFor()
    expect(await list.evaluate((region) => region.scrollWidth - region.clientWidth)).toBeLessThanOrEqual(0)
  }
  await page.context().close()
})

test.each(tiers)(
  'no screen of the %s console has an accessibility fault, scrolls horizontally at 390 px, or hides what it has shown',
  async (tier) => {
    // Otherwise every fade-in takes its time, on every screen.
    const page = await person(browser, { reducedMotion: 'reduce' })
    await noteWhatIsHidden(page.context())
    await signIn(page, product, tier)
    const faults: Record<string, Record<string, unknown>> = {}
    for (const [turn, screen] of screensOf(tier).entries()) {
      const found = await faultsOf(page, tier, screen, turn)
      if (Object.keys(found).length > 0) faults[screen] = found
    }
    expect(faults).toEqual({})
    await page.context().close()
  },
  900_000,
)

test.each(tiers)('a failure on a page of the %s console leaves the rest of it in place', async (tier) => {
  const page = await person(browser)
  await noteWhatIsHidden(page.context())
  await signIn(page, product, tier)
  await page.route(
    ({ pathname }) => pathname.startsWith('/api/v1/') && !pathname.endsWith('/account/self'),
    (route) => route.fulfill({ status: 500, json: { code: 101002, message: 'Broken' } }),
  )
  await page.goto(`${product.url}/${tier}/dashboard`)
  await page.getByRole('alert').first().waitFor()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  expect(await takenAway(page)).toEqual([])
  await leave(page)
})

test('typed input stays in place when the page’s data is requested again and fails', async () => {
  const page = await person(browser)
  await signIn(page, product, 'user')
  await open(page, 'user', 'sitesManagement/sitesSetting/:site/shop?tab=denyList&edit=new')
  const field = page.getByLabel('Addresses')
  await field.fill('192.0.2.77')
  let failed = 0
  await page.route(`**/api/v1/user/site/${shop.siteID}`, (route) => {
    failed += 1
    return route.fulfill({ status: 500, json: { code: 101002, message: 'Broken' } })
  })
  // When one returns to the tab after a minute, the page refreshes.
  await page.clock.setFixedTime(Date.now() + 60_000)
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await expect.poll(() => failed).toBeGreaterThanOrEqual(2)
  await settled(page)
  expect(await field.inputValue()).toBe('192.0.2.77')
  await leave(page)
})
