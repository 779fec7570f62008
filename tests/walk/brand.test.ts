/// <reference lib="dom" />
/**
 * An operator brands the sign-in page and publishes an announcement; a customer sees both, and dismisses the
 * announcement.
 */
import { deflateSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Product, startProduct } from '../harness/product.ts'
import { accessibilityFaults, openBrowser, person, signIn } from './browser.ts'

let product: Product
let browser: Browser
beforeAll(async () => {
  ;[product, browser] = await Promise.all([startProduct(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

/** A PNG of one colour, made without the code under test. */
function png(side: number): Buffer {
  const table = Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c >>> 0
  })
  const crc = (bytes: Buffer) => {
    let c = 0xffffffff
    for (const byte of bytes) c = table[(c ^ byte) & 255]! ^ (c >>> 8)
    return (c ^ 0xffffffff) >>> 0
  }
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, 0x55)])
  const rows = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}
const logo = { name: 'logo.png', mimeType: 'image/png', buffer: png(64) }

test('a brand is made with the form, refused where it is invalid, and shows on the sign-in page without a token', async () => {
  const page = await person(browser)
  await signIn(page, product, 'client')
  await page.goto(`${product.url}/client/userManagement/customizeLogo`)
  await page.getByRole('button', { name: 'Add brand' }).first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Name', { exact: true }).fill('Harbour CDN')
  await drawer.getByRole('textbox', { name: 'Accent', exact: true }).fill('#ffcc00')
  const svg = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg onload="alert(1)"/>') }
  await drawer.getByLabel('Logo', { exact: true }).setInputFiles(svg)
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.getByText('Too light for the light page').waitFor()
  await drawer.getByRole('textbox', { name: 'Accent', exact: true }).fill('#0b7a43')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.getByText('SVG is not accepted').waitFor()
  await drawer.getByLabel('Logo', { exact: true }).setInputFiles(logo)
  await drawer.getByLabel('Favicon', { exact: true }).setInputFiles(logo)
  expect(await accessibilityFaults(page)).toEqual([])
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Harbour CDN', exact: true }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])

  const visitor = await person(browser, { colorScheme: 'dark' })
  await visitor.goto(`${product.url}/user/login`)
  await visitor.getByText('Harbour CDN', { exact: true }).waitFor()
  await expect.poll(() => visitor.title()).toBe('Sign in · Harbour CDN')
  const picture = visitor.locator('main img')
  await expect.poll(() => picture.getAttribute('src')).toMatch(/^\/brand\/[0-9a-f]{64}$/)
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64)
  await expect.poll(() => visitor.locator('link[rel="icon"]').getAttribute('href')).toMatch(/^\/brand\//)
  const accent = () => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()
  await expect.poll(() => visitor.evaluate(accent)).not.toBe('#7ea2ff')
  await expect.poll(() => page.evaluate(accent)).toBe('#0b7a43')
  expect(await accessibilityFaults(visitor)).toEqual([])
  await visitor.goto(`${product.url}/admin/login`)
  await visitor.getByText('Breakwater', { exact: true }).waitFor()
  await visitor.context().close()
  await page.context().close()
})

test('an announcement is written, seen by the customer in one line, dismissed, and gone after a reload', async () => {
  const page = await person(browser)
  await signIn(page, product, 'client')
  await page.goto(`${product.url}/client/userManagement/announcementSetting`)
  await page.getByRole('button', { name: 'Write announcement' }).first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.getByText('Required').waitFor()
  await drawer.getByRole('group', { name: 'English' }).getByLabel('Title').fill('Maintenance <b>tonight</b>')
  await drawer.getByRole('group', { name: '繁體中文' }).getByLabel('Title').fill('今晚維護')
  expect(await accessibilityFaults(page)).toEqual([])
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Maintenance <b>tonight</b>' }).waitFor()

  const reader = await person(browser)
  await signIn(reader, product, 'user')
  const strip = reader.getByRole('region', { name: 'Announcement', exact: true })
  await strip.getByText('Maintenance <b>tonight</b>').waitFor()
  expect(await accessibilityFaults(reader)).toEqual([])
  await reader.getByRole('button', { name: 'Account menu' }).click()
  await reader.getByRole('menuitemradio', { name: '繁體中文' }).click()
  await reader.getByRole('region', { name: '公告' }).getByText('今晚維護').waitFor()
  await reader.getByRole('region', { name: '公告' }).getByRole('button', { name: '知道了' }).click()
  await reader.getByRole('region', { name: '公告' }).waitFor({ state: 'detached' })
  await reader.reload()
  await reader.getByRole('button', { name: '公告', exact: true }).click()
  await reader.getByRole('dialog').getByText('今晚維護').waitFor()
  expect(await accessibilityFaults(reader)).toEqual([])
  expect(await reader.getByRole('region', { name: '公告' }).count()).toBe(0)
  await reader.context().close()
  await page.context().close()
})
