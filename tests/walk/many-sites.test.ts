/// <reference lib="dom" />
/**
 * The operator creates a zone, a product and a site, pauses and resumes it; the customer adds domains by pasting a
 * sheet.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn as openApi } from '../harness/api.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { openTenant } from '../harness/tenant.ts'
import { until } from '../harness/until.ts'
import { accessibilityFaults, openBrowser, person, signIn } from './browser.ts'

let product: SharedProduct
let origin: Origin
let browser: Browser
let shop: Shop
let operator: Page
let customer: Page

beforeAll(async () => {
  origin = await startOrigin()
  ;[product, browser] = await Promise.all([openTenant('sheets'), openBrowser()])
  shop = await openShop(product, origin.port, 'sheets')
  ;[operator, customer] = [await person(browser), await person(browser)]
  await Promise.all([signIn(operator, product, 'client'), signIn(customer, product, 'user')])
})
afterAll(async () => {
  await browser?.close()
  await origin?.stop()
})

const drawer = (page: Page) => page.getByRole('dialog').last()

test('a zone gets groups, and a product gets them', async () => {
  await operator.goto(`${product.url}/client/nodeManage/zonesList`)
  await operator.getByRole('button', { name: 'Add zone' }).click()
  await drawer(operator).getByLabel('Zone').fill('sheets zone')
  await drawer(operator).getByRole('button', { name: 'Save' }).click()
  await operator.getByRole('button', { name: 'Edit sheets zone' }).click()
  for (const [name, isBackup] of [
    ['front', false],
    ['spare', true],
  ] as const) {
    await operator.getByRole('button', { name: 'Add group' }).click()
    await drawer(operator).getByLabel('Name').fill(name)
    if (isBackup) await drawer(operator).getByRole('switch', { name: 'Backup group' }).click()
    await drawer(operator).getByRole('button', { name: 'Save' }).click()
    await operator.getByText(name, { exact: true }).waitFor()
  }
  expect(await accessibilityFaults(operator)).toEqual([])
  await bothChangeTheNote()
  await operator.goto(`${product.url}/client/sitesManagement/productsList`)
  await operator.getByRole('button', { name: 'Add product' }).first().click()
  await drawer(operator).getByLabel('Name').fill('sheets product')
  await drawer(operator).getByRole('button', { name: 'Save' }).click()
  await drawer(operator).getByRole('alert').waitFor()
  await drawer(operator).getByLabel('sheets zone: main group').click()
  await operator.getByRole('option', { name: 'front' }).click()
  await drawer(operator).getByRole('button', { name: 'Save' }).click()
  await operator.getByRole('button', { name: 'sheets product' }).waitFor()
  await operator.getByText('sheets zone / front').waitFor()
})

/** What somebody else saves while the zone's drawer is open is shown, not overwritten. */
async function bothChangeTheNote() {
  const { operator: account, password } = product.accounts
  const api = await openApi(product.url, 'client', account, password)
  const zone = async () => {
    const { data } = (await api.call('GET', '/client/zones?pageSize=500')).body
    return data.find(({ name }: { name: string }) => name === 'sheets zone')
  }
  const { id, name } = await zone()
  await drawer(operator).getByLabel('Note').fill('mine')
  expect((await api.call('PUT', '/client/zone', { id, name, memo: 'theirs' })).status).toBe(200)
  await drawer(operator).getByRole('button', { name: 'Save', exact: true }).click()
  const conflict = operator.getByRole('dialog', { name: 'The settings were changed by someone else' })
  await conflict.getByText('theirs', { exact: true }).waitFor()
  expect(await zone()).toMatchObject({ memo: 'theirs' })
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await conflict.waitFor({ state: 'detached' })
  expect(await zone()).toMatchObject({ memo: 'mine' })
}

test('the operator pauses the site, whose visitors then get 403, and resumes it', async () => {
  expect((await shop.visit('/')).status).toBe(200)
  await operator.goto(`${product.url}/client/sitesManagement/sitesList?siteName=sheets`)
  const row = operator
    .getByRole('row', { name: /sheets/ })
    .filter({ hasText: 'sheets' })
    .last()
  await row.getByRole('checkbox').click()
  await operator.getByRole('button', { name: 'Pause', exact: true }).click()
  await drawer(operator).getByRole('button', { name: 'Pause', exact: true }).click()
  await row.getByText('Paused').waitFor()
  await until('the site to be closed', async () => (await shop.visit('/')).status === 403)
  // Entries are deselected after an action on them.
  await row.getByRole('checkbox', { checked: false }).click()
  await operator.getByRole('button', { name: 'Resume', exact: true }).click()
  await row.getByText('Normal').waitFor()
  await until('the site to be open', async () => (await shop.visit('/')).status === 200)
})

test('the operator renames the site, and sees what somebody else called it meanwhile', async () => {
  const { operator: account, password } = product.accounts
  const api = await openApi(product.url, 'client', account, password)
  const nameNow = async () => (await shop.api.call('GET', `${shop.of}`)).body.data.siteName
  await operator.goto(`${product.url}/client/sitesManagement/sitesSetting/${shop.siteID}/sheets`)
  await operator.getByRole('button', { name: 'Rename' }).click()
  await drawer(operator).getByLabel('Name').fill('linen')
  expect((await api.call('PATCH', '/client/site', { siteID: shop.siteID, siteName: 'theirs' })).status).toBe(200)
  await drawer(operator).getByRole('button', { name: 'Save' }).click()
  const conflict = operator.getByRole('dialog', { name: 'The settings were changed by someone else' })
  await conflict.getByText('theirs', { exact: true }).waitFor()
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await operator.getByRole('heading', { name: 'linen', level: 1 }).waitFor()
  expect(await nameNow()).toBe('linen')
  expect((await api.call('PATCH', '/client/site', { siteID: shop.siteID, siteName: 'sheets' })).status).toBe(200)
})

test('the customer pastes domains, tags them and disables some', async () => {
  await customer.goto(`${product.url}/user/sitesManagement/sitesSetting/${shop.siteID}/sheets?tab=domains`)
  await customer.getByRole('button', { name: 'Add several' }).click()
  await drawer(customer)
    .getByLabel('Domains or CSV')
    .fill('one.sheets.example\ntwo_.example.c\n*.sheets.example, 127.0.0.1:1')
  await drawer(customer).getByLabel('Origin', { exact: true }).fill(`127.0.0.1:${origin.port}`)
  await drawer(customer).getByText('Line 2 (two_.example.c)').waitFor()
  await drawer(customer).getByLabel('Domains or CSV').fill('one.sheets.example\n*.sheets.example, 127.0.0.1:1')
  await drawer(customer).getByRole('button', { name: 'Add several' }).click()
  await customer.getByRole('button', { name: 'one.sheets.example' }).waitFor()
  await customer.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await customer.getByRole('button', { name: 'Tags', exact: true }).click()
  await drawer(customer).getByRole('textbox').fill('winter')
  await drawer(customer).getByRole('button', { name: 'Save' }).click()
  await customer
    .getByRole('row', { name: /one\.sheets/ })
    .getByText('winter')
    .first()
    .waitFor()
  expect(await accessibilityFaults(customer)).toEqual([])
  await customer
    .getByRole('row', { name: /one\.sheets/ })
    // Entries are deselected after they were tagged.
    .getByRole('checkbox', { checked: false })
    .click()
  await customer.getByRole('button', { name: 'Disable', exact: true }).click()
  await drawer(customer).getByRole('button', { name: 'Disable', exact: true }).click()
  await customer
    .getByRole('row', { name: /one\.sheets/ })
    .getByText('Disabled')
    .waitFor()
  const { data } = (await shop.api.call('GET', `${shop.of}/domains?keywords=one.sheets`)).body
  expect(data[0]).toMatchObject({ status: 0, tags: ['winter'] })
  // A long name leaves enough room for the operator's other columns.
  const name = `${'long-name.'.repeat(14)}sheets.example`
  await shop.change('POST', `${shop.of}/domains`, { domains: [{ name, upstreams: [{ ip: '127.0.0.1', port: 1 }] }] })
  await operator.goto(`${product.url}/client/sitesManagement/domains?domainName=long-name`)
  const owned = operator.getByRole('row', { name: /long-name/ }).getByText('Not verified')
  await owned.waitFor()
  expect((await owned.boundingBox())!.x).toBeLessThan(1200)
})

test('the customer imports sites from nginx: reviews the draft, corrects it, leaves one out, and creates the rest', async () => {
  const config = `server {
  listen 443 ssl;
  server_name moved.example.com www.moved.example.com;
  client_max_body_size 20m;
  gzip on;
  auth_basic "Staff";
  location / { proxy_pass http://127.0.0.1:${origin.port}; proxy_set_header Host $host; }
  location = /old { return 301 /new; }
}
server { listen 80; server_name moved.example.com www.moved.example.com; return 301 https://$host$request_uri; }
server { server_name files.example.com; root /var/www; }
server { server_name spare.example.com; location / { proxy_pass http://127.0.0.1:${origin.port}; } }
server { server_name inner.example.com; location / { proxy_pass http://10.1.2.3; } }`
  await customer.goto(`${product.url}/user/sitesManagement/sites`)
  await customer.getByRole('link', { name: 'Import', exact: true }).click()
  await customer.getByRole('button', { name: 'Continue', exact: true }).click()
  await customer.getByText('Required').waitFor()
  await customer.getByLabel('Configuration', { exact: true }).fill('server { listen 80;')
  await customer.getByRole('button', { name: 'Continue', exact: true }).click()
  await customer.getByText('No site found').waitFor()
  await customer.getByText('Cannot be read from here on').waitFor()
  await customer.getByRole('button', { name: 'Another source' }).click()
  await customer.getByLabel('Configuration', { exact: true }).fill(config)
  await customer.getByRole('button', { name: 'Continue', exact: true }).click()
  await customer.getByText('4 sites', { exact: true }).waitFor()
  await customer.getByText('Password protection is not imported. Protect it before going live.').waitFor()
  await customer.getByText('^/old$ → /new (301)').waitFor()
  expect(await accessibilityFaults(customer)).toEqual([])
  // An origin for the files, a missing name, a site that is left out, a setting that is too.
  await customer.getByLabel('Origins of files.example.com').fill(`127.0.0.1:${origin.port}`)
  const name = customer.getByLabel('Site name').first()
  await name.fill('')
  await customer.getByLabel('Import spare.example.com').first().uncheck()
  await customer.getByLabel('Compression').uncheck()
  await customer.getByRole('button', { name: 'Create 3 sites' }).click()
  await customer.getByText('Required').waitFor()
  await name.fill('moved here')
  await customer.getByRole('button', { name: 'Create 3 sites' }).click()
  // A refused site stays, with its reason on its field, and can be created once it is corrected.
  await customer.getByText('4 sites · 2 created · 1 refused').waitFor()
  await customer.getByText('In a private network: the operator has to allow it').waitFor()
  expect(await accessibilityFaults(customer)).toEqual([])
  await customer.getByLabel('Origins of inner.example.com').fill(`127.0.0.1:${origin.port}`)
  await customer.getByRole('button', { name: 'Create 1 site' }).click()
  await customer.getByText('4 sites · 3 created').waitFor()
  await customer.getByRole('link', { name: 'Go to your sites' }).waitFor()
  await customer.getByRole('link', { name: 'moved here' }).click()
  await customer.waitForURL(/sitesSetting\/\d+/)
  const siteID = Number(/sitesSetting\/(\d+)/.exec(customer.url())![1])
  await customer.goto(`${product.url}/user/sitesManagement/sitesSetting/${siteID}/x?tab=urlRedirect`)
  await customer.getByText('moved here').first().waitFor()
})
