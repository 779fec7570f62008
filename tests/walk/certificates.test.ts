/// <reference lib="dom" />
/** A customer uploads a certificate, assigns it, forces HTTPS, and sees each on the wire. */
import { X509Certificate } from 'node:crypto'
import { connect } from 'node:tls'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificateFor } from '../../edge/box/make-certificate.ts'
import { signIn as signInApi } from '../harness/api.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { openTenant } from '../harness/tenant.ts'
import { accessibilityFaults, openBrowser, person, signIn } from './browser.ts'

let product: SharedProduct
let origin: Origin
let browser: Browser
let page: Page
let shop: Shop
const host = 'certified.example.com'
const [own, other] = [certificateFor(1, host), certificateFor(2, host)]

beforeAll(async () => {
  origin = await startOrigin()
  ;[product, browser] = await Promise.all([openTenant('certificates'), openBrowser()])
  shop = await openShop(product, origin.port, 'certified')
  const { operator, password } = product.accounts
  const desk = await signInApi(product.url, 'client', operator, password)
  const [domain] = await shop.change('GET', `${shop.of}/domains`)
  await desk.call('POST', `/client/site/${shop.siteID}/domain/${domain.id}/approve`, undefined)
  page = await person(browser)
  await signIn(page, product, 'user')
})
afterAll(async () => {
  await browser?.close()
  await origin?.stop()
})

const upstreams = [{ ip: '127.0.0.1', port: 80 }]
const open = (tab: string) =>
  page.goto(`${product.url}/user/sitesManagement/sitesSetting/${shop.siteID}/certified?tab=${tab}`)

/** The certificate that the edge presents for the name, or why the handshake failed. */
const shown = () =>
  new Promise<string>((resolve) => {
    const options = { port: product.edgeHttpsPort, host: '127.0.0.1', servername: host, rejectUnauthorized: false }
    const socket = connect(options, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw).fingerprint256)
      socket.destroy()
    })
    socket.on('error', (error) => resolve(error.message))
  })
const fingerprint = (pem: string) => new X509Certificate(pem).fingerprint256

test('a certificate that was being ordered appears without a reload of the page', async () => {
  let answers = 0
  await page.route('**/domain/settings?*', async (route) => {
    const reply = await route.fetch()
    const body = await reply.json()
    answers += 1
    if (answers === 1) body.data.certStatus = 4
    await route.fulfill({ response: reply, json: body })
  })
  await open('domains')
  await page.getByRole('button', { name: host }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('Requesting').waitFor()
  await drawer.getByText('No certificate').waitFor()
  expect(answers).toBe(2)
  await page.unrouteAll({ behavior: 'wait' })
})

test('errors of an upload are shown on their fields', async () => {
  await open('certificates')
  await page.getByRole('button', { name: 'Upload certificate' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('my certificate')
  await form.getByLabel('Certificate', { exact: true }).fill(own.chain)
  await form.getByLabel('Private key').fill(other.key)
  await form.getByRole('button', { name: 'Upload certificate' }).click()
  await form.getByText('1 to 256 letters, digits or . - _ *').waitFor()
  await form.getByLabel('Name').fill('certified')
  await form.getByRole('button', { name: 'Upload certificate' }).click()
  await form.getByText('The key does not match the certificate').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await shop.change('GET', `${shop.of}/certificates`)).toEqual([])
})

test('the right key is accepted, the certificate is assigned, and the edge presents it', async () => {
  expect(await shown()).not.toBe(fingerprint(own.chain))
  const form = page.getByRole('dialog')
  await form.getByLabel('Private key').fill(own.key)
  await form.getByRole('button', { name: 'Upload certificate' }).click()
  await page.getByText('Certificate Added Success!').waitFor()
  const drawer = page.getByRole('dialog', { name: 'certified' })
  await drawer.getByText('364 days').waitFor()
  await drawer.getByRole('button', { name: host }).click()
  await drawer.getByRole('button', { name: 'Save domains' }).click()
  await page.getByText('Assign Certificate To Domain Success!').waitFor()
  await shop.live()
  expect(await shown()).toBe(fingerprint(own.chain))
  expect(await accessibilityFaults(page)).toEqual([])
})

test('forced HTTPS is one click, and plain HTTP redirects to the same URL over TLS', async () => {
  const [{ id }] = await shop.change('GET', `${shop.of}/domains`)
  await open(`domains&edit=${id}`)
  const drawer = page.getByRole('dialog', { name: host })
  await drawer.getByText('Valid').first().waitFor()
  await drawer.getByRole('switch', { name: 'Forced HTTPS' }).click()
  await page.getByText('SET SUCCESS').first().waitFor()
  await shop.live()
  const reply = await shop.visit('/hello?a=1', { host })
  expect([reply.status, reply.headers.location]).toEqual([301, `https://${host}:${product.edgeHttpsPort}/hello?a=1`])
  expect(await accessibilityFaults(page)).toEqual([])
})

test('a certificate in use by a domain cannot be removed', async () => {
  await open('certificates')
  await page.getByRole('checkbox', { name: /certified/ }).check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Delete/ })
    .last()
    .click()
  await page.getByText('A domain still uses this certificate').first().waitFor()
  expect(await shown()).toBe(fingerprint(own.chain))
})

test('the operator configures a DNS provider, and a customer sees the record that proves a wildcard', async () => {
  const wildcard = '*.certified.example.com'
  const [id] = (await shop.change('POST', `${shop.of}/domains`, { domains: [{ name: wildcard, upstreams }] })).ids
  await open(`domains&edit=${id}`)
  const drawer = page.getByRole('dialog', { name: wildcard })
  await drawer.getByText('wildcards cannot be verified').waitFor()
  await drawer.getByRole('switch', { name: 'Automatic certificate', disabled: true }).waitFor()
  const desk = await person(browser)
  await signIn(desk, product, 'client')
  await desk.goto(`${product.url}/client/systemManagement/dnsSetting`)
  await desk.getByRole('combobox', { name: 'Type' }).click()
  await desk.getByRole('option', { name: /2136/ }).click()
  await desk.getByLabel('Zone').fill('edge.example.net')
  await desk.getByRole('textbox', { name: 'Server' }).fill('127.0.0.1:1')
  await desk.getByLabel('TSIG key name').fill('breakwater')
  await desk.getByLabel('TSIG secret').fill('not base64')
  await desk.getByRole('button', { name: 'Save' }).click()
  await desk.getByText('Wrong format').waitFor()
  await desk.getByLabel('TSIG secret').fill('c2VjcmV0')
  await desk.getByRole('button', { name: 'Test', exact: true }).click()
  await desk.getByText('The test failed').waitFor()
  await desk.getByRole('button', { name: 'Save' }).click()
  await desk.getByText('SET SUCCESS').waitFor()
  expect(await accessibilityFaults(desk)).toEqual([])
  await page.reload()
  await drawer.getByText('_acme-challenge.certified.example.com').waitFor()
  await drawer.getByRole('switch', { name: 'Automatic certificate' }).click()
  await page.getByText('SET SUCCESS').first().waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await shop.change('DELETE', `${shop.of}/domains`, { ids: [id] })
  await desk.getByRole('button', { name: 'Reset to defaults' }).click()
  await desk.getByText('can no longer be renewed').waitFor()
  await desk.getByRole('dialog').getByRole('button', { name: 'Reset to defaults' }).click()
  await desk.getByText('Settings saved').waitFor()
  await desk.context().close()
})
