/// <reference lib="dom" />
/**
 * The operator opens a port on all nodes of a zone, a customer's site answers on it, and what nginx refuses is shown at
 * the zone.
 */
import { createServer } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorityWith } from '../../edge/box/origin-authority.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { freePorts } from '../harness/ports.ts'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { openTenant } from '../harness/tenant.ts'
import { until } from '../harness/until.ts'
import { accessibilityFaults, openBrowser, openByNavigation, person, signIn } from './browser.ts'

let product: SharedProduct
let origin: Origin
let browser: Browser
let operator: Page
let customer: Page
let shop: Shop
let port: number

beforeAll(async () => {
  origin = await startOrigin()
  ;[product, browser] = await Promise.all([openTenant('zone'), openBrowser()])
  shop = await openShop(product, origin.port)
  ;[port] = (await freePorts(1)) as [number]
  ;[operator, customer] = await Promise.all([person(browser), person(browser)])
  await Promise.all([signIn(operator, product, 'client'), signIn(customer, product, 'user')])
})
afterAll(async () => {
  await browser?.close()
  await origin?.stop()
})

// The message after a save is a separate dialog.
const drawer = () => operator.getByRole('dialog').and(operator.locator(':not([data-type])'))
const menu = () => operator.getByRole('navigation', { name: 'Main navigation' })
const answers = () =>
  shop.visit('/hello', {}, { port }).then(
    ({ status }) => status,
    () => 'nothing',
  )

async function addPort(number: number) {
  await operator.getByRole('button', { name: 'Add port' }).first().click()
  await drawer().getByLabel('Port', { exact: true }).fill(String(number))
  await drawer().getByRole('switch', { name: 'HTTPS' }).click()
  await drawer()
    .getByText(/Saving reloads nginx/)
    .waitFor()
  await drawer().getByRole('button', { name: 'Save' }).click()
  await drawer().waitFor({ state: 'detached' })
}

test('a port of a zone opens on its nodes, and answers for the sites that chose it', async () => {
  await openByNavigation(operator, 'Network', 'Zones')
  await operator.getByRole('link', { name: 'default', exact: true }).click()
  await operator
    .getByText('Not set: defaults apply')
    .or(operator.getByText(/^Revision \d/))
    .first()
    .waitFor()
  expect(await accessibilityFaults(operator)).toEqual([])
  await menu().getByRole('link', { name: 'Ports & protocols' }).click()
  await addPort(port)
  await operator.getByRole('button', { name: String(port), exact: true }).waitFor()
  expect(await accessibilityFaults(operator)).toEqual([])

  // It listens, but sends nothing for a site that did not choose it.
  await customer.goto(`${product.url}/user/sitesManagement/sitesSetting/${shop.siteID}/shop?tab=ports`)
  await customer.getByRole('switch', { name: `Answers on port ${port}` }).click()
  await customer.getByText('SET SUCCESS').first().waitFor()
  await shop.live()
  await until('an answer on the port', async () => (await answers()) === 200)
  expect(await accessibilityFaults(customer)).toEqual([])
  await menu().getByRole('link', { name: 'Overview' }).click()
  await operator.getByText('Live', { exact: true }).first().waitFor()

  await customer.getByRole('switch', { name: `Answers on port ${port}` }).click()
  await until('no answer on the port', async () => (await answers()) === 'nothing')
})

test('a port that is taken by another program is refused by the node, and the zone says so', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '0.0.0.0', resolve))
  const { port: busy } = taken.address() as { port: number }
  await menu().getByRole('link', { name: 'Ports & protocols' }).click()
  await addPort(busy)
  await menu().getByRole('link', { name: 'Overview' }).click()
  await operator.getByText(`port ${busy} is taken by another program on this machine`).first().waitFor()
  await operator.getByText('Rolled back', { exact: true }).waitFor()
  expect(await accessibilityFaults(operator)).toEqual([])
  expect((await shop.visit('/hello')).status).toBe(200)
  taken.close()

  await menu().getByRole('link', { name: 'Ports & protocols' }).click()
  for (const number of [busy, port]) {
    await operator.getByRole('checkbox', { name: new RegExp(String(number)) }).check()
  }
  await operator.getByRole('button', { name: 'Remove', exact: true }).click()
  await drawer()
    .or(operator.getByRole('alertdialog'))
    .getByRole('button', { name: /Remove/ })
    .click()
  await operator.getByText('No additional ports').waitFor()
  await until('a closed port', async () => (await answers()) === 'nothing')
})

test('a preheat is rejected on its field, and customer and operator are told what is stored', async () => {
  await customer.goto(`${product.url}/user/sitesManagement/sitesSetting/${shop.siteID}/shop?tab=cache`)
  const dialog = customer.getByRole('dialog').and(customer.locator(':not([data-type])'))
  await customer.getByRole('button', { name: 'Preheat' }).click()
  await dialog.getByLabel('URLs').fill('http://stranger.example/a')
  await dialog.getByRole('button', { name: 'Preheat' }).click()
  await dialog.getByText('Not a domain of this site').first().waitFor()
  await dialog.getByLabel('Source').click()
  await customer.getByRole('option', { name: 'Sitemap' }).click()
  await dialog.getByLabel('Sitemap URL').fill('http://stranger.example/sitemap.xml')
  await dialog.getByRole('button', { name: 'Preheat' }).click()
  await dialog.getByText('Not a domain of this site').first().waitFor()
  await dialog.getByLabel('Source').click()
  await customer.getByRole('option', { name: 'URLs' }).click()
  const url = `http://${shop.host}/preheated`
  await dialog.getByLabel('URLs').fill(url)
  await dialog.getByRole('button', { name: 'Preheat' }).click()
  await customer
    .getByText(/^Cached \d of 1, /)
    .first()
    .waitFor()
  expect(await accessibilityFaults(customer)).toEqual([])

  await menu().getByRole('link', { name: 'Preheat' }).click()
  await operator.getByText(url).first().waitFor()
  expect(await accessibilityFaults(operator)).toEqual([])
})

test('CAs for origins are pasted, listed by their contents, and a private key is rejected on its field', async () => {
  const { ca, issued } = authorityWith('private.test')
  await menu().getByRole('link', { name: 'Origins' }).click()
  const section = operator.getByRole('region', { name: 'Certificate authorities for origins' })
  const field = section.getByLabel('Certificates', { exact: true })
  await field.fill(`${ca}${issued['private.test']!.key}`)
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByText('This is a private key. Paste the certificate here').waitFor()
  await field.fill(ca)
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByText('CN=ca of private.test').waitFor()
  await section.getByText(/^SHA-256 [0-9a-f]{64}$/).waitFor()
  expect(await accessibilityFaults(operator)).toEqual([])
})

test('the operator uploads address data, is told what is wrong with a file and how much another differs, and removes it', async () => {
  await openByNavigation(operator, 'Firewall', 'Address data')
  await operator.getByText('(with the release)').first().waitFor()
  await operator.getByText('Upload newer data', { exact: true }).first().click()
  const file = operator.getByLabel('Choose country data')
  const csv = (text: string) => ({ name: 'own.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await file.setInputFiles(csv('8.8.8.0,8.8.8.255,IS\nnonsense\n'))
  await operator.getByText(/^own\.csv:2: /).waitFor()
  await operator.getByLabel('Source').first().fill('Own list')
  await file.setInputFiles(csv('8.8.8.0,8.8.8.255,IS\n'))
  await operator.getByRole('button', { name: 'Use Own list' }).click()
  const confirm = drawer().getByRole('button', { name: 'Use on all nodes' })
  await drawer().getByText('100 of 100 addresses changed').waitFor()
  expect(await confirm.isDisabled()).toBe(true)
  await drawer().getByRole('checkbox').check()
  expect(await confirm.isDisabled()).toBe(false)
  expect(await accessibilityFaults(operator)).toEqual([])
  await drawer().getByRole('button', { name: 'Cancel' }).click()
  await operator.getByRole('button', { name: 'Remove Own list?' }).click()
  await drawer().getByRole('button', { name: 'Remove', exact: true }).click()
  await until('the list without it', async () => (await operator.getByText('Own list').count()) === 0)
})

test('limits that nginx could not keep are rejected on their fields', async () => {
  await menu().getByRole('link', { name: 'Limits' }).click()
  const section = operator.getByRole('region', { name: 'Header size' })
  await section.getByLabel('Single header').fill('1000')
  await section.getByRole('button', { name: 'Save' }).click()
  await section.locator('[aria-invalid=true]').first().waitFor()
  expect(await accessibilityFaults(operator)).toEqual([])
})

test('the operator sees what is known of an address, and where its score comes from', async () => {
  await operator.goto(`${product.url}/client/systemManagement/reputation`)
  await operator.getByLabel('List').fill('192.0.2.0/24, 60\n192.0.2.7, 90')
  await operator.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => operator.getByLabel('List').inputValue()).toBe('192.0.2.0/24,60\n192.0.2.7,90')
  const lookup = operator.getByRole('region', { name: 'Look up an address' })
  await lookup.getByLabel('Address').fill('example.com')
  await lookup.getByRole('button', { name: 'Look up' }).click()
  await lookup.getByRole('alert').filter({ hasText: /./ }).waitFor()
  await lookup.getByLabel('Address').fill('192.0.2.7')
  await operator.keyboard.press('Enter')
  await lookup.getByText('192.0.2.0/24').waitFor()
  // What the nodes use may be ten seconds old; a new lookup gets current data.
  const askAgain = async () => {
    await lookup.getByRole('button', { name: 'Look up' }).click()
    return lookup.getByRole('definition').allInnerTexts()
  }
  await expect
    .poll(askAgain, { interval: 1_000 })
    .toEqual(['90', '192.0.2.7 · 90\n192.0.2.0/24 · 60', 'None in the last 30 days'])
  expect(await accessibilityFaults(operator)).toEqual([])
})

test('a list and a limit of the zone are tried on logged requests, with addresses and sites', async () => {
  for (let n = 0; n < 6; n++) await shop.visit(`/tried/${n}`)
  await openByNavigation(operator, 'Network', 'Zones')
  await operator.getByRole('link', { name: 'default', exact: true }).click()
  await openByNavigation(operator, 'Firewall', 'Firewall')
  const list = operator.getByRole('region', { name: 'Deny list of the zone' })
  const limit = operator.getByRole('region', { name: 'Request limit per address' })
  const tryIt = (of: typeof list) => of.getByRole('button', { name: 'Try on the last 24 hours' }).click()

  await list.getByLabel('Addresses').fill('127.0.0.0/8')
  await until('the requests in the log', async () => {
    await tryIt(list)
    await list.getByText('Would block').or(list.getByText('No requests in the last 24 hours.')).first().waitFor()
    return (await list.getByText('127.0.0.1', { exact: true }).count()) > 0
  })
  await list.getByText('Sites by requests').waitFor()

  await limit.getByLabel('Interval').fill('3600')
  await limit.getByLabel('Requests', { exact: true }).fill('2')
  await tryIt(limit)
  await limit.getByText(/^[\d,]+ challenged, [\d,]+ blocked\.$/).waitFor()
  expect(await accessibilityFaults(operator)).toEqual([])
  await limit.getByLabel('Requests', { exact: true }).fill('0')
  await tryIt(limit)
  await limit.locator('[aria-invalid=true]').first().waitFor()
})

test('an address that requests unknown hosts is banned from the zone, its requests are shown, and the ban is lifted', async () => {
  const address = '127.0.0.61'
  const ask = (host: string, path: string) =>
    shop.visit(path, { host }, { from: address }).then(
      ({ status }) => status,
      () => 'nothing',
    )
  const section = operator.getByRole('region', { name: 'Requests for unknown hosts' })
  const save = async (limit: string) => {
    await section.getByLabel('Per minute').fill(limit)
    await section.getByRole('button', { name: 'Save' }).click()
  }
  // Other tests request unknown hosts from the same node, from another address and only now and then.
  await save('50')
  await until('the ban', async () => {
    for (let n = 0; n < 51; n++) await ask('nobody.test', `/wp-login.php?try=${n}`)
    return (await ask(shop.host, '/hello')) === 'nothing'
  })
  const ban = operator.getByRole('row').filter({ hasText: address })
  await ban.getByText('Requests for unknown hosts').waitFor()
  await ban.getByText('GET http://nobody.test/wp-login.php?try=').waitFor()
  expect(await accessibilityFaults(operator)).toEqual([])
  await ban.getByRole('checkbox').check()
  await operator.getByRole('button', { name: 'Lift bans' }).click()
  await drawer().getByRole('button', { name: 'Lift bans' }).click()
  await until('the site for it', async () => (await ask(shop.host, '/hello')) === 200)
  await save('0')
})
