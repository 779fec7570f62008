/**
 * A customer of the shared product with one live site, signed in to its console: the starting point for tests of a
 * site's settings.
 */
import type { Page } from 'playwright-core'
import { startOrigin } from '../harness/origin.ts'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { openTenant } from '../harness/tenant.ts'
import { openBrowser, person, signIn } from './browser.ts'

export type SiteOwner = { product: SharedProduct; shop: Shop; page: Page; close: () => Promise<void> }

export async function openSiteOwner(name: string): Promise<SiteOwner> {
  const origin = await startOrigin()
  const [product, browser] = await Promise.all([openTenant(name), openBrowser()])
  const shop = await openShop(product, origin.port)
  const page = await person(browser)
  await signIn(page, product, 'user')
  const close = async () => {
    await browser.close()
    await origin.stop()
  }
  return { product, shop, page, close }
}
