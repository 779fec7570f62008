/** Sessions in a real browser: many calls that expire together, two tabs, and acting for another account. */
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openTenant } from '../harness/tenant.ts'
import {
  accessibilityFaults,
  leave,
  openBrowser,
  openByAccountMenu,
  openByNavigation,
  person,
  signIn,
  tab,
} from './browser.ts'
import { whenStill } from './settled.ts'
import { noteWhatIsHidden, takenAway } from './steadiness.ts'

let product: SharedProduct
let browser: Browser

beforeAll(async () => {
  ;[product, browser] = await Promise.all([openTenant('sessions'), openBrowser()])
  product = { ...product, url: product.url.replace('127.0.0.1', 'localhost') }
})
afterAll(async () => {
  await browser?.close()
})

/**
 * From now on answers every call that uses an existing token as expired, once this many calls are waiting; counts the
 * refreshes and repeated calls.
 */
async function expire(context: BrowserContext, together = 1) {
  const stale = new Set(
    (await context.cookies()).filter(({ name }) => name === 'u_accessToken').map(({ value }) => value),
  )
  const counts = { expired: 0, refreshes: 0, repeated: new Map<string, number>() }
  const key = (request: Request) => `${request.method()} ${request.url()} ${request.postData() ?? ''}`
  const waiting = new Set<string>()
  const enough = Promise.withResolvers<void>()
  await context.route('**/api/v1/**', async (route) => {
    const request = route.request()
    const token = (await request.headerValue('authorization'))?.replace('Bearer ', '') ?? ''
    if (request.method() === 'PATCH' && request.url().endsWith('/api/v1/user')) counts.refreshes += 1
    else if (stale.has(token)) {
      counts.expired += 1
      waiting.add(key(request))
      if (counts.expired >= together) enough.resolve()
      await enough.promise
      return route.fulfill({ status: 401, json: { code: 101014, message: 'Token Expired' } })
    } else if (waiting.has(key(request))) {
      counts.repeated.set(key(request), (counts.repeated.get(key(request)) ?? 0) + 1)
    }
    return route.continue()
  })
  return { counts }
}

const isSettled = (page: Page) =>
  page.waitForFunction(() => document.querySelector('.skeleton') === null && document.querySelector('h1') !== null)

test('calls that expire together cause one refresh, and each is repeated once', async () => {
  const page = await person(browser)
  await signIn(page, product, 'user')
  await isSettled(page)
  const { counts } = await expire(page.context(), 10)
  // Every chart of the page makes its own call.
  await openByNavigation(page, 'Analytics', 'Traffic')
  await page.waitForURL('**/dataAnalysis/statistics**')
  await expect.poll(() => counts.repeated.size).toBeGreaterThanOrEqual(10)
  await isSettled(page)
  console.log(`${counts.expired} calls expired together: ${counts.refreshes} refresh`)
  expect(counts.expired).toBeGreaterThanOrEqual(10)
  expect(counts.refreshes).toBe(1)
  expect([...new Set(counts.repeated.values())]).toEqual([1])
  expect(new URL(page.url()).pathname).toBe('/user/dataAnalysis/statistics')
  expect(await page.getByRole('alert').count()).toBe(0)
  await leave(page)
})

test('two tabs that expire together cause one refresh, and both continue', async () => {
  const one = await person(browser)
  await signIn(one, product, 'user')
  const two = await tab(one.context())
  await two.goto(`${product.url}/user/dashboard`)
  await Promise.all([isSettled(one), isSettled(two)])
  const { counts } = await expire(one.context())
  await Promise.all([one, two].map((page) => openByAccountMenu(page, 'Profile')))
  for (const page of [one, two]) await page.getByText('This device', { exact: true }).waitFor()
  expect(counts.refreshes).toBe(1)
  await leave(one)
})

const enter = async (page: Page) => {
  await page.getByLabel('Account or e-mail').fill(product.accounts.customer)
  await page.getByLabel('Password', { exact: true }).fill(product.accounts.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('what was typed when the session ended is there again after signing in, on the same page', async () => {
  const page = await person(browser)
  await signIn(page, product, 'user')
  await page.goto(`${product.url}/user/sitesManagement/newSite`)
  await page.getByLabel('Domain', { exact: true }).fill('half.typed.example')
  await page.getByLabel('Origin', { exact: true }).fill('198.41.0.4')
  await page
    .context()
    .route('**/api/v1/user/site', (route) =>
      route.fulfill({ status: 401, json: { code: 101013, message: 'Invalid Token' } }),
    )
  await page.getByRole('button', { name: 'Go live' }).click()
  await page.waitForURL('**/user/login**')
  // The sign-in page says why, for as long as nobody signs in.
  await page.getByRole('alert').getByText('Your session ended: Invalid Token.').waitFor()
  await page.context().unrouteAll({ behavior: 'ignoreErrors' })
  await enter(page)
  await page.waitForURL('**/user/sitesManagement/newSite')
  await page.getByText('Restored what you typed before').waitFor()
  await expect.poll(() => page.getByLabel('Domain', { exact: true }).inputValue()).toBe('half.typed.example')
  await page.getByRole('button', { name: 'Go live' }).click()
  await page.getByRole('region', { name: 'Go-live checklist' }).waitFor()
  await leave(page)
})

test('signing out in one tab signs out the other, and what was typed there is kept', async () => {
  const one = await person(browser)
  await signIn(one, product, 'user')
  await one.goto(`${product.url}/user/sitesManagement/newSite`)
  await one.getByLabel('Name').fill('Typed in the first tab')
  const two = await tab(one.context())
  await two.goto(`${product.url}/user/dashboard`)
  await two.getByRole('button', { name: 'Account menu' }).click()
  await two.getByRole('menuitem', { name: 'Sign out' }).click()
  await one.waitForURL('**/user/login**')
  await enter(one)
  await one.waitForURL('**/user/dashboard')
  await one.goto(`${product.url}/user/sitesManagement/newSite`)
  await expect.poll(() => one.getByLabel('Name').inputValue()).toBe('Typed in the first tab')
  await one.context().close()
})

test('an operator acts for a customer under a banner and goes back; a link made by somebody else opens nothing', async () => {
  const page = await person(browser)
  await noteWhatIsHidden(page.context())
  await signIn(page, product, 'client')
  const link = () =>
    page.evaluate(async (customer) => {
      const token = /c_accessToken=([^;]+)/.exec(document.cookie)?.[1]
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const { data } = await (
        await fetch(`/api/v1/client/accounts?auth=user&pageSize=100&name=${customer}`, { headers })
      ).json()
      const { id } = data.find(({ account }: { account: string }) => account === customer)
      const body = JSON.stringify({ id, auth: 'user', reason: 'ticket 7' })
      const reply = await (await fetch('/api/v1/client/proxy', { method: 'POST', headers, body })).json()
      return reply.data.code as string
    }, product.accounts.customer)
  await page.goto(`${product.url}/user/switchUser?code=${await link()}&nonce=guessed`)
  await page.waitForURL('**/user/login')
  await page.goto(`${product.url}/user/switchUser?accessToken=a&refreshToken=b&tokenType=Bearer`)
  await page.waitForURL('**/user/login')
  await page.goto(`${product.url}/client/dashboard`)
  const code = await link()
  await page.evaluate(() => {
    sessionStorage.setItem('breakwater.switch.nonce', '77')
    sessionStorage.setItem(
      'breakwater.before.user',
      JSON.stringify({ back: '/client/nodeManage/nodesList', tokens: null }),
    )
  })
  await page.goto(`${product.url}/user/switchUser?code=${code}&nonce=77`)
  await page.waitForURL('**/user/dashboard')
  const banner = page.getByRole('region', { name: 'Acting for another' })
  await banner.getByText(`operator is acting for ${product.accounts.customer}`).waitFor()
  await banner.getByText(/(30|29|28) minutes left · ticket 7/).waitFor()
  await isSettled(page)
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await takenAway(page)).toEqual([])
  await page.goto(`${product.url}/user/userManagement/userInformation`)
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
  expect(await page.getByText('Authenticator app').count()).toBe(0)
  await banner.getByRole('button', { name: 'Stop' }).click()
  await page.waitForURL('**/client/nodeManage/nodesList')
  await page.goto(`${product.url}/user/dashboard`)
  await page.waitForURL('**/user/login**')
  await page.context().close()
})

test('while one acts for another account the own session is in no persistent store, and is back afterwards', async () => {
  const page = await person(browser)
  await signIn(page, product, 'user')
  const own = await page.evaluate(() => /u_accessToken=([^;]+)/.exec(document.cookie)?.[1] ?? '')
  await signIn(page, product, 'client')
  const { customer } = product.accounts
  await page.goto(`${product.url}/client/userManagement/users?name=${customer}`)
  await page.getByRole('cell').getByRole('button', { name: customer, exact: true }).click()
  await whenStill(page)
  await page.getByRole('button', { name: 'Act for', exact: false }).click()
  await page.getByLabel('Reason').fill('ticket 8')
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.waitForURL('**/user/dashboard')
  const lasting = () => page.evaluate(() => JSON.stringify({ ...localStorage }))
  expect(own).not.toBe('')
  expect(await lasting()).not.toContain(own)
  expect(await lasting()).not.toMatch(/accessToken|refreshToken/)
  await page.getByRole('region', { name: 'Acting for another' }).getByRole('button', { name: 'Stop' }).click()
  await page.waitForURL('**/client/userManagement/users**')
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain(own)
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(own)
  await page.context().close()
})

test('a sign-out that the server refuses is reported: the session ends only here', async () => {
  const page = await person(browser)
  await signIn(page, product, 'user')
  await page.route('**/api/v1/user', (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 400, json: { code: 101015, message: 'Revoke Token Failed' } })
      : route.continue(),
  )
  await openByAccountMenu(page, 'Sign out')
  await page.waitForURL('**/user/login**')
  await page.getByText('Revoke Token Failed').first().waitFor()
  expect(await page.getByText('Logout success! See you!').count()).toBe(0)
  await leave(page)
})
