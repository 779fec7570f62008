/** Single sign-on in a real browser: an operator sets up a provider, and a customer signs in with it. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type IdentityProvider,
  providerClient,
  startIdentityProvider,
} from '../../server/src/testing/identity-provider.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { accessibilityFaults, openBrowser, person, signIn } from './browser.ts'

let product: Product
let browser: Browser
let provider: IdentityProvider
let page: Page

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startProduct(), openBrowser()])
  product = { ...product, url: product.url.replace('127.0.0.1', 'localhost') }
  provider = await startIdentityProvider([`${product.url}/user/login/sso`])
  page = await person(browser)
})
afterAll(async () => {
  await browser?.close()
  await provider?.stop()
  await product?.stop()
})

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

test('an operator sets up a provider; errors are named, and the connection is tried before it is saved', async () => {
  await signIn(page, product, 'client')
  await page.goto(`${product.url}/client/systemManagement/signInSetting`)
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Customers’ console' })
    .getByRole('button', { name: 'Set up' })
    .click()
  await page.getByLabel('Issuer').fill('http://example.com')
  await press('Save')
  await page.getByText('Wrong format').first().waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Harbour')
  await page.getByLabel('Issuer').fill(`${provider.issuer}/wrong`)
  await page.getByLabel('Client id').fill(providerClient.clientID)
  await page.getByLabel('Client secret', { exact: true }).fill(providerClient.clientSecret)
  await press('Test the connection')
  await page.getByText(/^Connection failed:/).waitFor()
  await page.getByLabel('Issuer').fill(provider.issuer)
  await press('Test the connection')
  await page.getByText('Connection Success!', { exact: true }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await press('Save')
  await page.getByText('Saved', { exact: true }).first().waitFor()
  await page.getByText(/Harbour/).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
})

test('a customer signs in with it; a stranger is told why not; the response is removed from the URL', async () => {
  const customer = await person(browser)
  await customer.goto(`${product.url}/user/login`)
  await customer.getByRole('button', { name: 'Sign in with Harbour' }).click()
  await customer
    .getByRole('alert')
    .getByText(/^You have no account here/)
    .waitFor()
  expect(new URL(customer.url()).search).toBe('')
  expect(await accessibilityFaults(customer)).toEqual([])
  await signIn(page, product, 'user')
  await page.goto(`${product.url}/user/userManagement/userInformation`)
  await press('Edit')
  await page.getByLabel('E-mail').fill(provider.person.email)
  await press('Save')
  await page.getByText('Update Information Successful!').waitFor()
  await customer.getByRole('link', { name: 'Back to sign-in' }).click()
  // It is shown for some seconds only.
  await Promise.all([
    customer.getByText('Login Success! Welcome!').waitFor(),
    customer.getByRole('button', { name: 'Sign in with Harbour' }).click(),
  ])
  await customer.waitForURL('**/user/dashboard')
  await customer.context().close()
})

test('an operator is asked before locking himself out', async () => {
  await page.goto(`${product.url}/client/systemManagement/signInSetting`)
  await page.getByLabel('Networks', { exact: true }).fill('192.0.2.0/24')
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await page.getByRole('dialog', { name: 'This would lock you out' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByLabel('Networks', { exact: true }).fill('127.0.0.0/8\n::/0')
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await page.getByText('Saved', { exact: true }).first().waitFor()
})
