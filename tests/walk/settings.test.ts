/// <reference lib="dom" />
/**
 * A customer sets what the edge compresses, sees it on the wire, finds it in the history, and goes back to the
 * defaults.
 */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { SharedProduct } from '../harness/shared-product.ts'
import type { Shop } from '../harness/shop.ts'
import { accessibilityFaults, tab } from './browser.ts'
import { openSiteOwner } from './site-owner.ts'

let product: SharedProduct
let page: Page
let shop: Shop

beforeAll(async () => {
  const owner = await openSiteOwner('settings')
  ;({ product, page, shop } = owner)
  return owner.close
})

const open = (tab: string) =>
  page.goto(`${product.url}/user/sitesManagement/sitesSetting/${shop.siteID}/shop?tab=${tab}`)
const saved = async () =>
  (await shop.change('GET', `${shop.of}/setting/gzip`)) as { minLength: number; types: string[] }

test('the length and the types are saved, live, and shown in the history', async () => {
  await open('cache')
  const section = page.getByRole('region', { name: 'Compression', exact: true })
  await section.getByLabel('Minimum size').fill('20')
  await section.getByLabel('Media types').fill('text/x-own')
  // Pressed for longer than it takes to draw the type as a chip, which moves what is below it.
  await section.getByRole('button', { name: 'Save' }).click({ delay: 300 })
  await page.getByText('HTTP compression set success!').waitFor()
  expect(await saved()).toMatchObject({ minLength: 20, types: expect.arrayContaining(['text/html', 'text/x-own']) })
  await shop.live()
  expect(await accessibilityFaults(page)).toEqual([])
  await open('history')
  await page
    .getByText(/^Compression/)
    .first()
    .waitFor()
})

test('validation errors are shown on their fields, and nothing is saved', async () => {
  await open('cache')
  const section = page.getByRole('region', { name: 'Compression', exact: true })
  await section.getByLabel('Level').fill('10')
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByRole('alert').or(section.locator('[aria-invalid=true]')).first().waitFor()
  expect(await saved()).toMatchObject({ minLength: 20 })
  await section.getByRole('button', { name: 'Discard' }).click()
})

test('all defaults are restored together', async () => {
  const section = page.getByRole('region', { name: 'Compression', exact: true })
  await section.getByRole('button', { name: 'Reset to defaults' }).click()
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: 'Reset to defaults' })
    .click()
  await page.getByText('Settings saved').waitFor()
  await expect.poll(() => section.getByLabel('Minimum size').inputValue()).toBe('1024')
  expect(await saved()).toMatchObject({ minLength: 1024 })
})

test('the trace of a URL is computed by the node’s own code, also with a rule that is not saved yet', async () => {
  await open('cache')
  const section = page.getByRole('region', { name: 'What would the cache do with this URL?' })
  await section.getByLabel('URL or path').fill('/files/a.css?v=1')
  await section.getByRole('button', { name: 'Check' }).click()
  await section.getByText('Not cached').waitFor()
  await section.getByText('No rule matches').waitFor()
  await open('cache&edit=new')
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Values').fill('/files/')
  await drawer.getByText('Cache key', { exact: true }).click()
  await drawer.getByRole('switch', { name: 'Ignore the query string' }).click()
  await drawer.getByLabel('URL or path').fill('/files/a.css?v=1')
  await drawer.getByRole('button', { name: 'Check' }).click()
  await drawer.getByText('This unsaved rule decides.').waitFor()
  await drawer.getByText(/^Cached for/).waitFor()
  expect(await drawer.getByText(/^i\d+\|.*\/files\/a\.css$/).count()).toBe(1)
  await drawer
    .getByRole('button', { name: 'Add', exact: true })
    .or(drawer.getByRole('button', { name: 'Save' }))
    .click()
  await page.getByText('Cache Rules Added Success!').waitFor()
})

test('origin timeouts are set where origins are', async () => {
  await open('origins')
  const section = page.getByRole('region', { name: 'Origin timeouts' })
  await section.getByLabel('First byte').fill('300')
  await section.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved').waitFor()
  expect(await shop.change('GET', `${shop.of}/setting/originTimeouts`)).toMatchObject({ firstByte: 300, idle: 60 })
  expect(await accessibilityFaults(page)).toEqual([])
})

test('two tabs change one rule: different fields are merged, the same field is shown as a conflict', async () => {
  const { id } = (await shop.change('POST', `${shop.of}/firewall/l7/secondRates`, {
    ...{ urlRegex: '^/two-tabs', rate: 5, burst: 5, blockType: 1 },
  })) as { id: number }
  const address = `${product.url}/user/sitesManagement/sitesSetting/${shop.siteID}/shop?tab=rateRules&edit=${id}`
  const other = await tab(page.context())
  const note = (of: Page, text: string) => of.getByRole('dialog').getByLabel('Note').fill(text)
  const save = (of: Page) => of.getByRole('dialog').getByRole('button', { name: /^Save/ }).click()
  const stored = async () => {
    const rules = (await shop.change('GET', `${shop.of}/firewall/l7/secondRates`)) as {
      id: number
      memo: string
      burst: number
    }[]
    return rules.find((rule) => rule.id === id)
  }
  await Promise.all([page.goto(address), other.goto(address)])
  await note(page, 'from the first tab')
  await other.getByRole('dialog').getByLabel('Burst').fill('9')
  await save(page)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await save(other)
  await other.getByText(/Also kept, changed by someone else/).waitFor()
  expect(await stored()).toMatchObject({ memo: 'from the first tab', burst: 9 })

  await Promise.all([page.goto(address), other.goto(address)])
  await note(page, 'mine')
  await note(other, 'theirs')
  await save(other)
  await other.getByRole('dialog').waitFor({ state: 'detached' })
  await save(page)
  const conflict = page.getByRole('dialog', { name: 'The rule was changed by someone else' })
  await conflict.getByText('theirs', { exact: true }).waitFor()
  expect(await stored()).toMatchObject({ memo: 'theirs' })
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await conflict.waitFor({ state: 'detached' })
  expect(await stored()).toMatchObject({ memo: 'mine', burst: 9 })
  await other.close()
})

test('two tabs change one settings group: an untouched form follows, different fields are merged, the same one is a conflict', async () => {
  const stored = () => shop.change('GET', `${shop.of}/setting/originTimeouts`) as Promise<Record<string, number>>
  const other = await tab(page.context())
  const address = `${product.url}/user/sitesManagement/sitesSetting/${shop.siteID}/shop?tab=origins`
  await Promise.all([page.goto(address), other.goto(address)])
  const form = (of: Page) => of.getByRole('region', { name: 'Origin timeouts' })
  const fill = (of: Page, label: string, value: string) => form(of).getByLabel(label).fill(value)
  const save = (of: Page) => form(of).getByRole('button', { name: 'Save' }).click()
  await fill(page, 'Connect', '11')
  await fill(other, 'Between bytes', '77')
  await save(page)
  await expect.poll(async () => (await stored()).connect).toBe(11)
  await save(other)
  await other.getByText(/changed by someone else: Connect 5 → 11/).waitFor()
  await expect.poll(() => form(other).getByLabel('Connect').inputValue()).toBe('11')
  expect(await stored()).toMatchObject({ connect: 11, idle: 77 })

  await fill(page, 'Connect', '12')
  await fill(page, 'First byte', '99')
  await fill(other, 'Connect', '13')
  await save(other)
  await expect.poll(async () => (await stored()).connect).toBe(13)
  await save(page)
  const conflict = page.getByRole('dialog', { name: 'The settings were changed by someone else' })
  await conflict.getByText(/Connect 11 → 13/).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await conflict.getByRole('button', { name: 'Keep theirs' }).click()
  await conflict.waitFor({ state: 'detached' })
  // A field that both changed has their value; one that only one of them changed has that one's.
  await expect.poll(stored).toMatchObject({ connect: 13, firstByte: 99, idle: 77 })
  await expect.poll(() => form(page).getByLabel('Connect').inputValue()).toBe('13')
  await other.close()
})

test('a restore starts with what it removes, and can leave parts out', async () => {
  await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, { ips: ['198.51.100.7'] })
  await open('history')
  await page
    .getByRole('row')
    .filter({ hasText: /Domain .* added/ })
    .getByRole('button', { name: /^Restore/ })
    .click()
  const dialog = page.getByRole('dialog')
  const summary = dialog.getByText(/^Removes \d+ item/)
  const isInSight = () =>
    summary.evaluate((element) => {
      const { left, top } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(left + 2, top + 2))
    })
  // It slides in from the side.
  await expect.poll(isInSight).toBe(true)
  await dialog.getByText(/^Rate rule removed: When/).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await dialog.getByRole('checkbox', { name: 'Restore: Rate rule' }).uncheck()
  await dialog.getByRole('button', { name: 'Restore selected parts' }).click()
  await page.getByText('SET SUCCESS').first().waitFor()
  const rules = (await shop.change('GET', `${shop.of}/firewall/l7/secondRates`)) as object[]
  expect(rules).toHaveLength(1)
})

test('banned addresses are listed with reason, duration and request, found, explained, and lifted', async () => {
  await shop.change('PUT', `${shop.of}/firewall/setting/adv`, {
    ...{ enable: true, mode: 'off', blockType: 1, blockSeconds: 3600, whiteUrls: [] },
  })
  await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, { ips: ['127.0.0.0/8'], urlRegex: '^/locked' })
  await shop.live()
  const banned = ['127.0.0.41', '127.0.0.42', '127.0.0.43']
  for (const from of banned) for (let n = 0; n < 10; n++) await shop.visit('/locked', {}, { from })
  const rows = page.getByRole('row').filter({ hasText: '127.0.0.' })
  await page.goto(`${product.url}/user/sitesManagement/blockList?site=${shop.siteID}`)
  await expect.poll(() => rows.count()).toBe(3)
  await rows.first().getByText('Deny list').waitFor()
  await rows
    .first()
    .getByText(/5\d ?m|1 ?h/)
    .waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('searchbox', { name: 'Address, range or CIDR' }).fill('127.0.0.42-127.0.0.')
  await page.getByText('Enter a full address, range or CIDR.').waitFor()
  await page.getByRole('searchbox', { name: 'Address, range or CIDR' }).fill('127.0.0.42/31')
  await expect.poll(() => rows.count()).toBe(2)
  await rows.first().getByRole('link', { name: 'Explain' }).click()
  await page.getByText('/locked').first().waitFor()
  await page.goBack()
  await rows.filter({ hasText: '127.0.0.42' }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Lift bans' }).click()
  const dialog = page.getByRole('dialog', { name: 'Lift the ban of 1 address?' })
  await dialog.getByText('127.0.0.42').waitFor()
  await dialog.getByRole('button', { name: 'Lift bans' }).click()
  await page.getByText('Bans lifted').waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  await expect.poll(async () => (await shop.visit('/hello', {}, { from: '127.0.0.42' })).status).toBe(200)
  expect((await shop.visit('/hello', {}, { from: '127.0.0.41' })).status).toBe(429)
})

test('an attack is listed while it lasts, and its report says what was done; in print the report stands alone', async () => {
  await shop.change('PUT', `${shop.of}/firewall/setting/adv`, {
    ...{ enable: true, mode: 'auto', threshold: 1, blockType: 1, blockSeconds: 60, whiteUrls: [] },
  })
  await shop.live()
  const report = () => page.getByRole('article')
  await expect
    .poll(async () => {
      const visits = Array.from({ length: 20 }, () => shop.visit('/flooded', {}, { from: '127.0.0.51' }))
      return (await Promise.all(visits)).map(({ status }) => status)
    })
    .toContain(503)
  await open('siteMode')
  await page.getByRole('link', { name: 'Report' }).first().click()
  await report().getByText('Whole-site protection challenged').waitFor()
  await report().getByText('127.0.0.51').first().waitFor()
  await report().getByText('/flooded').first().waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download PDF' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^attack-\d+\.pdf$/)
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
  expect(await page.getByRole('button').first().isVisible()).toBe(false)
  expect(await report().getByText('Breakwater').first().isVisible()).toBe(true)
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('link', { name: 'All attacks' }).click()
  await page.getByRole('row').filter({ hasText: 'requests per second, threshold 1' }).first().waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
})
