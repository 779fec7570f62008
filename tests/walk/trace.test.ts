/// <reference lib="dom" />
/**
 * A customer traces what would happen to a request, and the edge does it: a rule, the WAF, a challenge, a ban, the
 * cache.
 */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { SharedProduct } from '../harness/shared-product.ts'
import type { Shop } from '../harness/shop.ts'
import { until } from '../harness/until.ts'
import { accessibilityFaults, tab } from './browser.ts'
import { openSiteOwner } from './site-owner.ts'

let product: SharedProduct
let page: Page
let shop: Shop
const stranger = '127.0.0.51'
const attack = '/search?q=%3Cscript%3Ealert(1)%3C/script%3E'

beforeAll(async () => {
  const owner = await openSiteOwner('trace')
  ;({ product, page, shop } = owner)
  await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, { ips: [stranger], urlRegex: '^/' })
  const { ids } = await shop.change('POST', `${shop.of}/module/wafs`, {
    modules: [{ name: 'attacks', mode: 'enforce' }],
  })
  const [{ id: domain }] = (await shop.api.call('GET', `${shop.of}/domains`)).body.data
  await shop.change('PUT', `${shop.of}/domains/module/waf`, { domainIDs: [domain], moduleID: ids[0] })
  await shop.live()
  return owner.close
})

const open = (of = page) => of.goto(`${product.url}/user/sitesManagement/sitesSetting/${shop.siteID}/shop?tab=explain`)
const section = (name: string, of = page) => of.getByRole('region', { name })
const field = (name: string) => section('What would happen to this URL?').getByLabel(name, { exact: true })
const trace = () => section('What would happen to this URL?').getByRole('button', { name: 'Trace' }).click()
const step = (guard: string) => section('Guards in order').getByRole('listitem').filter({ hasText: guard }).first()

test('a rule that names the address refuses it, as the edge does, and the rule is one click away', async () => {
  await open()
  await field('URL or path').fill(`http://${shop.host}/files/a.css`)
  await field('Visitor’s address').fill(stranger)
  await trace()
  await section('Verdict').getByText('Blocked').waitFor()
  await section('Verdict').getByText('Decided by Deny list').waitFor()
  await step('Deny list').getByText('Block', { exact: true }).waitFor()
  await step('WAF').getByText('Skipped').waitFor()
  await section('Cache').getByText('The request does not reach the cache.').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expect((await shop.visit('/files/a.css', {}, { from: stranger })).status).toBe(403)
  await section('Verdict').getByRole('link').first().click()
  await expect.poll(() => page.getByRole('dialog').getByLabel('Addresses').inputValue()).toBe(stranger)
})

test('an attack is refused by the WAF, with its rules named, and a browser passes to the cache', async () => {
  await open()
  await field('URL or path').fill(`http://${shop.host}${attack}`)
  await trace()
  await section('Verdict').getByText('Decided by WAF').waitFor()
  await step('WAF').getByText('Rule 941100').waitFor()
  await step('WAF').getByText('XSS Attack Detected via libinjection').waitFor()
  expect((await shop.visit(attack)).status).toBe(403)
  await field('URL or path').fill(`http://${shop.host}/files/a.css`)
  await trace()
  await section('Verdict').getByText('Passed').waitFor()
  await section('Cache').getByText('No rule matches').waitFor()
  expect((await shop.visit('/files/a.css', { accept: '*/*', 'user-agent': 'Mozilla/5.0' })).status).toBe(200)
})

test('validation errors are shown on their fields', async () => {
  await open()
  await field('URL or path').fill('https://elsewhere.example.net/')
  await trace()
  await section('What would happen to this URL?').getByText('Not a domain of this site').waitFor()
  await field('URL or path').fill('/')
  await field('Visitor’s address').fill('127.0.0')
  await trace()
  await expect.poll(() => field('Visitor’s address').getAttribute('aria-invalid')).toBe('true')
})

test('a challenge is shown, with what follows for those who have passed it; a banned address is shown as banned', async () => {
  await shop.change('PUT', `${shop.of}/firewall/setting/adv`, {
    ...{ enable: true, mode: 'on', blockType: 1, blockSeconds: 3600, whiteUrls: [] },
  })
  await shop.live()
  await open()
  await field('URL or path').fill(`http://${shop.host}/`)
  await trace()
  await section('Verdict').getByText('Challenged').waitFor()
  await section('What would happen to this URL?').getByRole('switch').click()
  await trace()
  await section('Verdict').getByText('Passed').waitFor()
  for (let n = 0; n < 10; n++) await shop.visit('/locked', {}, { from: stranger })
  const bans = `${shop.of.replace(/\/site\/.*/, '')}/blockIPs`
  await until('the ban', async () => (await shop.change('GET', bans)).some(({ ip }: { ip: string }) => ip === stranger))
  await field('Visitor’s address').fill(stranger)
  await trace()
  await section('Verdict').getByText('The address is banned now.').waitFor()
})

test('the cache tab says that it only checks the cache, and links here', async () => {
  const other = await tab(page.context())
  await other.goto(`${product.url}/user/sitesManagement/sitesSetting/${shop.siteID}/shop?tab=cache`)
  await section('What would the cache do with this URL?', other).getByRole('link', { name: 'Ask all guards' }).click()
  await section('What would happen to this URL?', other).getByLabel('URL or path').waitFor()
  await other.close()
})
