/// <reference lib="dom" />
/** Every screen: no accessibility fault in light or dark, and no sideways scroll on a phone. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { accessibilityFaults, type Door, openBrowser, person, signIn } from './browser.ts'

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
    'userManagement/userInformation',
    'changePassword',
  ],
  client: [
    'systemManagement/signInSetting',
    'userManagement/userInformation',
    'dashboard',
    'sitesManagement/sitesList',
    'sitesManagement/sitesSetting/:site/shop?tab=domains',
    'nodeManage/zonesList',
    'nodeManage/nodesList',
    'dataAnalysis/statistics',
    'dataAnalysis/securityAnalysis?tab=waf',
  ],
  admin: ['dashboard', 'systemManagement/signInSetting', 'userManagement/userInformation'],
}

async function open(page: Page, door: Door, screen: string): Promise<void> {
  await page.goto(`${product.url}/${door}/${screen.replace(':site', String(shop.siteID))}`)
  // Behind an open drawer the page is there and hidden from roles.
  await page.locator('h1').first().waitFor()
  if (screen.includes('edit=')) await page.getByRole('dialog').waitFor()
  await page.waitForFunction(() => document.querySelector('.skeleton') === null)
  // What fades in is not read half way.
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'))
}

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test('the door has no accessibility fault', async () => {
    const page = await person(browser, { colorScheme })
    await page.goto(`${product.url}/user/login`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Required').first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.context().close()
  })

  test.each(Object.keys(screens) as Door[])(
    'no screen of the %s console has one',
    async (door) => {
      const page = await person(browser, { colorScheme })
      await signIn(page, product, door)
      const faults: Record<string, string[]> = {}
      for (const screen of screens[door]) {
        await open(page, door, screen)
        const found = await accessibilityFaults(page)
        if (found.length > 0) faults[screen] = found
      }
      expect(faults).toEqual({})
      await page.context().close()
    },
    180_000,
  )
})

test.each(['zh-TW', 'zh-CN', 'en-US'])(
  'no screen scrolls sideways at 390 px in %s',
  async (locale) => {
    const page = await person(browser, { viewport: { width: 390, height: 844 } })
    await signIn(page, product, 'user')
    await page.evaluate((chosen) => localStorage.setItem('breakwater.locale', chosen), locale.replace('-', '_'))
    const wide: string[] = []
    for (const screen of screens.user) {
      await open(page, 'user', screen)
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (excess > 0) wide.push(`${screen}: ${excess} px`)
    }
    expect(wide).toEqual([])
    await page.context().close()
  },
  180_000,
)
