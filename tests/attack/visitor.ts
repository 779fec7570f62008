/** A visitor with a browser of their own at the shop, who reads, buys and edits. */
import { type Browser, chromium, type Page } from 'playwright-core'

/** Opens the shop's host in Chromium, mapped to this machine. */
export async function openVisitor(host: string): Promise<{ browser: Browser; page: Page }> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=MAP ${host} 127.0.0.1`],
  })
  const page = await browser.newPage({ locale: 'en-US' })
  page.setDefaultTimeout(60_000)
  return { browser, page }
}

/** Finds an article, puts it into the cart, signs in. Fails if any page is not the shop's. */
export async function goShopping(page: Page, url: string, who: { user: string; password: string }): Promise<void> {
  await page.goto(url)
  await page.getByRole('heading', { name: 'Harbour shop' }).waitFor()
  for (const words of ['mug', 'tea for two', 'select a union of mugs where price < 20']) await search(page, words)
  await search(page, 'mug')
  await page.getByRole('button', { name: 'Add Blue mug' }).click()
  await page.getByText('Item 1 added').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Mail').fill(who.user)
  await page.getByLabel('Password').fill(who.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor()
}

async function search(page: Page, words: string): Promise<void> {
  await page.getByLabel('Search').fill(words)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('heading', { name: /found$/ }).waitFor()
}

/** Saves an article in the editor; returns the status of the form submission. */
export async function saveArticle(page: Page, url: string, html: string): Promise<number> {
  await page.goto(`${url}/editor`)
  await page.getByLabel('Text').fill(html)
  const [answer] = await Promise.all([
    page.waitForResponse((one) => one.request().method() === 'POST'),
    page.getByRole('button', { name: 'Save' }).click(),
  ])
  return answer.status()
}
