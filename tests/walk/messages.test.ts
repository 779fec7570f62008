/// <reference lib="dom" />
/**
 * An operator sets up mail: the server's own error message if it is wrong, a real letter if it is right, and whom it
 * reached.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServerUnderTest, startMailServer } from '../../server/src/messages/testing.ts'
import { signIn as signInApi } from '../harness/api.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { until } from '../harness/until.ts'
import { accessibilityFaults, openBrowser, person, signIn } from './browser.ts'

let product: Product
let mail: MailServerUnderTest
let browser: Browser
let page: Page

beforeAll(async () => {
  mail = await startMailServer({ secure: false, disabledCommands: ['STARTTLS'] })
  ;[product, browser] = await Promise.all([startProduct(), openBrowser()])
  page = await person(browser)
  await signIn(page, product, 'client')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await mail?.close()
})

test('a wrong password shows the mail server’s own error message; a right one delivers a letter', async () => {
  await page.goto(`${product.url}/client/systemManagement/systemSetting`)
  const section = page.getByRole('region', { name: 'Mail', exact: true })
  await section.getByLabel('Server').fill('127.0.0.1')
  await section.getByLabel('Port').fill(String(mail.port))
  await section.getByLabel('Encryption').click()
  await page.getByRole('option', { name: 'None' }).click()
  await section.getByLabel('Account').fill('mailer')
  await section.getByLabel('Password', { exact: true }).fill('wrong')
  await section.getByLabel('Sender').fill('Harbour <no-reply@harbour.example>')
  await section.getByRole('switch', { name: 'Send mail' }).click()
  await section.getByLabel('To', { exact: true }).fill('me@harbour.example')
  await section.getByRole('button', { name: 'Send test message' }).click()
  await section.getByText('5.7.8 Who are you?').waitFor()
  await section.getByLabel('Password', { exact: true }).fill('right')
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByText('Not tested yet').waitFor()
  await section.getByRole('button', { name: 'Send test message' }).click()
  await section.getByText('Connection Success!').waitFor()
  await section.getByText('Test passed.').waitFor()
  await expect.poll(() => mail.letters).toHaveLength(1)
  expect(await accessibilityFaults(page)).toEqual([])
})

test('an invitation is sent automatically, and the list of letters says so', async () => {
  const authorization = await page.evaluate(() => document.cookie)
  expect(authorization).toContain('c_accessToken')
  const token = /c_accessToken=([^;]+)/.exec(authorization)?.[1]
  const reply = await fetch(`${product.url}/api/v1/client/account`, {
    method: 'POST',
    headers: { authorization: `Bearer ${decodeURIComponent(token ?? '')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ auth: 'user', name: 'Ann', email: 'ann@example.com', account: 'ann', locale: 'en_US' }),
  })
  expect(reply.status).toBe(200)
  const letter = await until('the letter', async () =>
    mail.letters.find(({ subject }) => subject?.includes('Your account')),
  )
  const link = /http\S+verifyMail\?token=\S+/.exec(letter.text ?? '')?.[0] ?? ''
  await page.reload()
  await page.getByRole('row', { name: /ann@example\.com.*Invitation.*Sent/ }).waitFor()
  // The person follows the link on another machine, in a browser of her own.
  const ann = await person(browser)
  await ann.goto(link.replace(/^http:\/\/[^/]+/, product.url))
  await ann.getByLabel('New password', { exact: true }).fill('ann-chooses-1')
  await ann.getByLabel('Repeat the new password').fill('ann-chooses-1')
  await ann.getByRole('button', { name: /password/i }).click()
  await ann.waitForURL('**/user/login')
  await ann.getByLabel('Account or e-mail').fill('ann')
  await ann.getByLabel('Password', { exact: true }).fill('ann-chooses-1')
  await ann.getByRole('button', { name: 'Sign in', exact: true }).click()
  await ann.waitForURL('**/user/dashboard')
  await ann.context().close()
})

test('notification choices are saved, and a test message proves that they work', async () => {
  await page.goto(`${product.url}/client/userManagement/notifySetting`)
  // A channel that would not arrive cannot be chosen: this operator has no mail address yet.
  const byMail = page.getByRole('checkbox', { name: 'A node is offline: E-mail' })
  await expect.poll(() => byMail.isDisabled()).toBe(true)
  const { operator, password } = product.accounts
  const api = await signInApi(product.url, 'client', operator, password)
  const reply = await api.call('PUT', '/client/account/self', { email: 'operator@harbour.example' })
  expect(reply.status).toBe(200)
  await page.reload()
  await byMail.click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('SET SUCCESS').waitFor()
  await page.reload()
  await expect.poll(() => byMail.isChecked()).toBe(true)
  expect(await accessibilityFaults(page)).toEqual([])
})
