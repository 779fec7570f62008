/// <reference lib="dom" />
/** Every screen: no accessibility fault in light or dark, and no sideways scroll on a phone. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { accessibilityFaults, type Door, openBrowser, person, signIn } from './browser.ts'
import { classClashes } from './class-clashes.ts'
import { noteWhatIsHidden, takenAway } from './steadiness.ts'

let product: Product
let origin: Origin
let browser: Browser
let shop: Shop

beforeAll(async () => {
  origin = await startOrigin()
  ;[product, browser] = await Promise.all([startProduct(), openBrowser()])
  shop = await openShop(product, origin.port)
  await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, {
    ips: ['192.0.2.1', '198.51.100.0/24'],
    mode: 'observe',
  })
  await shop.change('POST', `${shop.of}/firewall/l7/secondRates`, { urlRegex: '^/login', rate: 5, burst: 10 })
  await shop.change('POST', `${shop.of}/setting/caches`, { type: 'image', ttl: 86_400 })
  await shop.visit('/hello')
}, 240_000)

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await origin?.stop()
}, 60_000)

/** What two consoles have alike. */
const people = ['roles', 'apiTokenSetting', 'logOperation', 'userInformation']
/** `:site` is the site's id. */
const screens: Record<Door, string[]> = {
  user: [
    'dashboard',
    'sitesManagement/sites',
    'sitesManagement/newSite',
    ...[
      'overview',
      'domains',
      'customHeader',
      'cache',
      'denyList',
      'allowList',
      'rateRules',
      'bodyRules',
      'history',
    ].map((tab) => `sitesManagement/sitesSetting/:site/shop?tab=${tab}`),
    'sitesManagement/sitesSetting/:site/shop?tab=rateRules&edit=new',
    'sitesManagement/sitesSetting/:site/shop?tab=denyList&edit=new',
    'dataAnalysis/statistics?compare=true',
    'dataAnalysis/statisticsCustomize',
    'dataAnalysis/securityAnalysis',
    'dataAnalysis/securityAnalysis?tab=blacklist',
    'dashboard?tab=waf',
    'dataAnalysis/logger',
    'dataAnalysis/logger?view=search',
    'dataAnalysis/explain',
    ...people.map((page) => `userManagement/${page}`),
    'userManagement/usersList',
    'userManagement/usersList?edit=new',
    'userManagement/roles?edit=new',
    'systemManagement/notifySetting',
    'changePassword',
  ],
  client: [
    'dashboard',
    'sitesManagement/sitesList',
    'sitesManagement/sitesSetting/:site/shop?tab=domains',
    'nodeManage/zonesList',
    'nodeManage/nodesList',
    'dataAnalysis/statistics',
    'dataAnalysis/statisticsCustomize',
    'dataAnalysis/securityAnalysis?tab=waf',
    'dataAnalysis/logger',
    'dataAnalysis/explain',
    ...people.map((page) => `userManagement/${page}`),
    'userManagement/users',
    'userManagement/users?edit=new',
    'userManagement/notifySetting',
    'userManagement/customizeLogo',
    'userManagement/customizeLogo?edit=new',
    'userManagement/announcementSetting',
    'userManagement/announcementSetting?edit=new',
    'systemManagement/license',
    'systemManagement/signInSetting',
    'systemManagement/systemSetting',
  ],
  admin: [
    'dashboard',
    'licenses',
    'licenses?edit=new',
    'offlineLicense',
    'systemManagement/signInSetting',
    'userManagement/users',
    'userManagement/logOperation',
    'userManagement/userInformation',
  ],
}

test('no page of the consoles is left out', () => {
  const source = readFileSync(join(import.meta.dirname, '../../console/src/app/pages.ts'), 'utf8')
  const paths = [...source.matchAll(/path: '([^'{]+)/g)].map(([, path]) => path!)
  // The API reference is a page of the server's own; that address only leads there.
  const opened = [...Object.values(screens).flat(), 'userManagement/apiDoc']
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => !opened.some((screen) => screen.includes(path)))).toEqual([])
})

/** Waits until all is loaded, what waits to be looked at too, and nothing moves: what fades in is not read half way. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    document.querySelector('[data-loads-when-near]')?.scrollIntoView()
    return document.querySelector('.skeleton, [data-loads-when-near]') === null
  })
  // A change of colours begins to fade with the frame that shows it.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  // What turns as long as something is waited for never ends, and moves nothing else.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity),
  )
}

async function open(page: Page, door: Door, screen: string): Promise<void> {
  await page.goto(`${product.url}/${door}/${screen.replace(':site', String(shop.siteID))}`)
  // Behind an open drawer the page is there and hidden from roles.
  await page.locator('h1').first().waitFor()
  if (screen.includes('edit=')) await page.getByRole('dialog').waitFor()
  await settled(page)
}

/** How a page's first link reads in each language: none is like another. */
const skipLink = { zh_TW: '跳到內容', zh_CN: '跳到内容', en_US: 'Skip to content' } as const
type Locale = keyof typeof skipLink

/** Changes the language as another tab would, and waits until the page speaks it. */
async function speak(page: Page, locale: Locale): Promise<void> {
  await page.evaluate(([key, newValue]) => dispatchEvent(new StorageEvent('storage', { key, newValue })), [
    'breakwater.locale',
    locale,
  ] as const)
  await page.waitForFunction((text) => document.body.textContent?.includes(text), skipLink[locale])
  await settled(page)
}

/** How far a page reaches past the right edge of the screen, in px. */
const excess = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** Everything that is wrong with one screen, by the way it is looked at. */
async function faultsOf(page: Page, door: Door, screen: string): Promise<Record<string, unknown>> {
  await page.setViewportSize(desktop)
  await page.emulateMedia({ colorScheme: 'light' })
  await open(page, door, screen)
  const faults: Record<string, unknown> = {
    light: await accessibilityFaults(page),
    classes: await classClashes(page),
    'taken away': await takenAway(page),
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  await settled(page)
  faults.dark = await accessibilityFaults(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] })
  await page.setViewportSize(phone)
  for (const locale of ['zh_TW', 'zh_CN', 'en_US'] as const) {
    await speak(page, locale)
    faults[`sideways in ${locale}`] = await excess(page)
  }
  return Object.fromEntries(Object.entries(faults).filter(([, found]) => (Array.isArray(found) ? found.length : found)))
}

test.each(['light', 'dark'] as const)('the door has no accessibility fault in %s', async (colorScheme) => {
  const page = await person(browser, { colorScheme })
  await page.goto(`${product.url}/user/login`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Required').first().waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.context().close()
})

test.each(Object.keys(screens) as Door[])(
  'no screen of the %s console has an accessibility fault in light or dark, scrolls sideways at 390 px in any language, or takes away what it has shown',
  async (door) => {
    const page = await person(browser)
    await noteWhatIsHidden(page.context())
    await signIn(page, product, door)
    const faults: Record<string, Record<string, unknown>> = {}
    for (const screen of screens[door]) {
      const found = await faultsOf(page, door, screen)
      if (Object.keys(found).length > 0) faults[screen] = found
    }
    expect(faults).toEqual({})
    await page.context().close()
  },
  300_000,
)

test.each(Object.keys(screens) as Door[])(
  'what fails on a page of the %s console leaves the rest of it where it is',
  async (door) => {
    const page = await person(browser)
    await noteWhatIsHidden(page.context())
    await signIn(page, product, door)
    await page.route(
      ({ pathname }) => pathname.startsWith('/api/v1/') && !pathname.endsWith('/account/self'),
      (route) => route.fulfill({ status: 500, json: { code: 101002, message: 'Broken' } }),
    )
    await page.goto(`${product.url}/${door}/dashboard`)
    await page.getByRole('alert').first().waitFor()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(await takenAway(page)).toEqual([])
    await page.context().close()
  },
)

test('what is typed stays where it is when what the page had read is asked for again and fails', async () => {
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
  // Coming back to the tab after a minute, one sees what is new by then.
  await page.clock.setFixedTime(Date.now() + 60_000)
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await expect.poll(() => failed, { timeout: 20_000 }).toBeGreaterThanOrEqual(2)
  await settled(page)
  expect(await field.inputValue()).toBe('192.0.2.77')
  await page.context().close()
})
