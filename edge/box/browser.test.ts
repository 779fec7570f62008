/** The shield in a real browser, on plain http where it has no crypto of its own: it passes by itself and stays passed. */
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gapIn } from './challenge-page.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>'),
  )
  box = await Box.start({}, (disk) =>
    disk.feed(
      disk.site({
        origins: [{ port: origin.port }],
        firewall: {
          // So slow that it stays exceeded however slow the browser is; who has passed has ten times the burst.
          rateRules: [
            { id: 1, urlRegex: '^/login', rate: 0.02, burst: 1, blockType: 1, mode: 'enforce' },
            { id: 2, urlRegex: '^/slide', rate: 0.02, burst: 1, blockType: 5, mode: 'enforce' },
          ],
        },
      }),
    ),
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

/** Asks as the browser's address until a rule is exceeded. */
async function exceed(path: string): Promise<void> {
  await until('a challenge', async () => (await box.request('site.test', path)).status !== 200)
}

test('a browser passes the shield and stays passed', async () => {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--host-resolver-rules=MAP site.test 127.0.0.1'],
  })
  try {
    const page = await browser.newPage()
    const url = `http://site.test:${box.settings.httpPort}/login`
    await exceed('/login')
    const challenged = await page.goto(url)
    expect(challenged?.status()).toBe(503)
    expect(await page.evaluate('typeof crypto.subtle')).toBe('undefined')
    await page.getByRole('heading', { name: 'Welcome' }).waitFor({ timeout: 90_000 })
    for (let i = 0; i < 4; i++) expect((await page.goto(url))?.status()).toBe(200)
  } finally {
    await browser.close()
  }
})

test('a person passes the slider with its two sliders', async () => {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--host-resolver-rules=MAP site.test 127.0.0.1'],
  })
  try {
    const page = await browser.newPage({ locale: 'zh-TW' })
    const url = `http://site.test:${box.settings.httpPort}/slide`
    await exceed('/slide')
    await page.goto(url)
    const { x, y } = gapIn(await page.content())
    await page.getByLabel('左右').fill(`${x}`)
    await page.getByLabel('上下').fill(`${y}`)
    await expect
      .poll(() => page.locator('#dot').evaluate((dot) => [dot.getAttribute('cx'), dot.getAttribute('cy')]))
      .toEqual([`${x}`, `${y}`])
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Welcome' }).waitFor({ timeout: 90_000 })
  } finally {
    await browser.close()
  }
})
