/** The shield in a real browser, over plain HTTP without WebCrypto: it passes by itself and stays passed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerTo, bitsIn } from './challenge-page.ts'
import { withPage } from './chromium.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>'),
  )
  const always = { urlRegex: '', rate: 0.001, burst: 0, blockType: 1, mode: 'enforce' as const }
  box = await Box.start({}, (disk) =>
    disk.feed(
      disk.site({
        ...{ site: 2, hosts: ['flooded.test'], origins: [{ port: origin.port }] },
        firewall: { rateRules: [{ ...always, id: 3 }] },
      }),
      disk.site({
        origins: [{ port: origin.port }],
        firewall: {
          // Two requests, then none for a long time: however slow the browser, its third request exceeds the limit.
          rateRules: [
            { id: 1, urlRegex: '^/login', rate: 0.001, burst: 1, blockType: 1, mode: 'enforce' },
            { id: 2, urlRegex: '^/slide', rate: 0.001, burst: 1, blockType: 5, mode: 'enforce' },
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

test('a browser passes the shield and stays passed', () =>
  withPage(async (page) => {
    const url = `http://site.test:${box.settings.httpPort}/login`
    for (let i = 0; i < 2; i++) expect((await page.goto(url))?.status()).toBe(200)
    const challenged = await page.goto(url)
    expect(challenged?.status()).toBe(503)
    expect(await page.evaluate('typeof crypto.subtle')).toBe('undefined')
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    for (let i = 0; i < 4; i++) expect((await page.goto(url))?.status()).toBe(200)
  }))

test('a flood of unsolved challenges raises the difficulty for its site, and a browser still passes', () =>
  withPage(async (page) => {
    const ask = () => box.request('flooded.test', '/')
    const seen = new Set<number>()
    await until('the dearest', async () => {
      for (const { status, text } of await Promise.all(Array.from({ length: 40 }, ask)))
        if (status === 503) seen.add(bitsIn(text))
      return seen.has(20)
    })
    expect([...seen].sort()).toEqual([16, 17, 18, 19, 20])
    expect((await page.goto(`http://flooded.test:${box.settings.httpPort}/`))?.status()).toBe(503)
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    for (let i = 0; i < 3; i++) await page.goto(`http://site.test:${box.settings.httpPort}/slide`)
    expect(bitsIn(await page.content()), 'another site’s stay as they are').toBe(16)
  }))

test('a person passes the slider with its two sliders', () =>
  withPage(
    async (page) => {
      const url = `http://site.test:${box.settings.httpPort}/slide`
      for (let i = 0; i < 3; i++) await page.goto(url)
      const userAgent = await page.evaluate(() => navigator.userAgent)
      const [x, y] = answerTo(await page.content(), { userAgent }).split(',')
      const shown = await page.evaluate(`(async () => {
        const picture = new Image()
        picture.src = document.querySelector('image').getAttribute('href')
        await picture.decode()
        return [picture.naturalWidth, picture.naturalHeight]
      })()`)
      expect(shown).toEqual([160, 100])
      await page.getByLabel('左右').fill(x!)
      await page.getByLabel('上下').fill(y!)
      expect(await page.locator('#dot').evaluate((dot) => [dot.getAttribute('cx'), dot.getAttribute('cy')])).toEqual([
        x,
        y,
      ])
      await page.getByRole('button', { name: '繼續' }).click()
      await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    },
    { locale: 'zh-TW' },
  ))
