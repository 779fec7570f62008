/// <reference lib="dom" />
/**
 * A customer makes redirects and headers in modules, binds domains to them, edits and switches them, and sees them on
 * the wire.
 */
import { generateKeyPairSync, sign } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { SharedProduct } from '../harness/shared-product.ts'
import type { Shop } from '../harness/shop.ts'
import { until } from '../harness/until.ts'
import { accessibilityFaults } from './browser.ts'
import { settled } from './settled.ts'
import { openSiteOwner } from './site-owner.ts'

let product: SharedProduct
let page: Page
let shop: Shop

beforeAll(async () => {
  const owner = await openSiteOwner('modules')
  ;({ product, page, shop } = owner)
  return owner.close
})

const open = async (tab: string) => {
  await page.goto(`${product.url}/user/sitesManagement/sitesSetting/${shop.siteID}/shop?tab=${tab}`)
}
const drawer = () => page.getByRole('dialog')

async function addModule(name: string) {
  await page.getByRole('button', { name: 'Add module' }).first().click()
  await drawer().getByLabel('Name').fill(name)
  await drawer().getByRole('button', { name: 'Add module' }).click()
  await page.getByText('Module added').waitFor()
}

test('a redirect is made, bound to the site’s domain, and answers on the edge', async () => {
  await open('urlRedirect')
  await addModule('moved')
  await drawer().getByRole('button', { name: 'Add redirect' }).click()
  await drawer().getByLabel('Path', { exact: true }).fill('^/old$')
  await drawer().getByLabel('Redirect to').fill('/new')
  await drawer().getByRole('button', { name: 'Add redirect' }).click()
  await page.getByText('Redirect set').waitFor()
  await drawer().getByText('/old → /new').waitFor()
  await drawer().getByText('1 of 3,000 entries').waitFor()
  await drawer().getByRole('button', { name: 'shop.example.com' }).click()
  await drawer().getByRole('button', { name: 'Save bindings' }).click()
  await page.getByText('Bindings saved').waitFor()
  await shop.live()
  const { status, headers } = await shop.visit('/old?a=1')
  expect([status, headers.location]).toEqual([301, '/new?a=1'])
  expect(await accessibilityFaults(page)).toEqual([])
})

test('it is edited in place, and switched off', async () => {
  await drawer().getByRole('button', { name: 'Edit ^/old$' }).click()
  await drawer().getByLabel('Redirect to').fill('/newer')
  await drawer().getByRole('button', { name: 'Save', exact: true }).click()
  await drawer().getByText('/old → /newer').waitFor()
  // The message after saving says what has changed, and Undo reverts it, on the wire too.
  const saved = page.getByText(/^Redirect module moved: rules 1 changed · Live on 1 of 1 node/)
  await saved.waitFor()
  // The message about the binding is still there, with its own Undo.
  await saved.locator('xpath=ancestor::*[.//button][1]').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').waitFor()
  await drawer().getByText('/old → /new', { exact: true }).waitFor()
  await shop.live()
  expect((await shop.visit('/old')).headers.location).toBe('/new')
  await drawer().getByRole('button', { name: 'Edit ^/old$' }).click()
  await drawer().getByLabel('Redirect to').fill('/newer')
  await drawer().getByRole('button', { name: 'Save', exact: true }).click()
  await drawer().getByText('/old → /newer').waitFor()
  await shop.live()
  expect((await shop.visit('/old')).headers.location).toBe('/newer')
  await drawer().getByRole('switch', { name: 'Enable ^/old$' }).click()
  await expect.poll(async () => (await shop.visit('/old')).status).not.toBe(301)
})

test('a loop is refused on its field, before it is saved', async () => {
  await drawer().getByRole('button', { name: 'Add redirect' }).click()
  await drawer().getByLabel('Path', { exact: true }).fill('^/a')
  await drawer().getByLabel('Redirect to').fill('/a/b')
  await drawer().getByRole('button', { name: 'Add redirect' }).click()
  await drawer().getByText('These redirects form a loop').waitFor()
  await drawer().getByRole('button', { name: 'Cancel', exact: true }).click()
})

test('a module is renamed', async () => {
  await drawer().getByLabel('Name').fill('moved pages')
  await drawer().getByRole('button', { name: 'Rename' }).click()
  await page.getByText('Module renamed').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('row', { name: /moved pages/ }).waitFor()
})

test('a restore reverts the module only if it is ticked, as other sites may use it', async () => {
  await open('history')
  // The newest switched the redirect off; the one before changed its target.
  const row = page.getByRole('row').filter({ hasText: 'Redirect module moved: rules 1 changed' }).nth(1)
  await row.getByRole('button', { name: /^Restore/ }).click()
  const modules = drawer().getByRole('checkbox', { name: 'Restore: Modules' })
  await drawer().getByText('Restored on every site that uses it').waitFor()
  expect(await modules.isChecked()).toBe(false)
  await modules.check()
  expect(await accessibilityFaults(page)).toEqual([])
  await drawer().getByRole('button', { name: 'Restore selected parts' }).click()
  await page.getByText('SET SUCCESS').first().waitFor()
  await shop.live()
  expect((await shop.visit('/old')).headers.location).toBe('/newer')
})

test('headers are items of the same screens', async () => {
  await open('customHeader')
  await addModule('security')
  await drawer().getByRole('button', { name: 'Add header' }).click()
  await drawer().getByLabel('Header', { exact: true }).fill('X-Frame-Options')
  await drawer().getByLabel('Value').fill('DENY')
  await drawer().getByRole('button', { name: 'Add header' }).click()
  await drawer().getByText('X-Frame-Options: DENY').waitFor()
  await drawer().getByRole('button', { name: 'shop.example.com' }).click()
  await drawer().getByRole('button', { name: 'Save bindings' }).click()
  await shop.live()
  await expect.poll(async () => (await shop.visit('/hello')).headers['x-frame-options']).toBe('DENY')
  expect(await accessibilityFaults(page)).toEqual([])
})

test('an ACL rule is written as text, its errors are marked where they are, and it refuses on the edge', async () => {
  await open('luaAcl')
  await addModule('staff only')
  await drawer().getByRole('button', { name: 'Add rule' }).click()
  await drawer().getByLabel('Name').first().fill('no strangers')
  const write = async (text: string) => {
    await drawer().getByRole('textbox', { name: 'Rule', exact: true }).click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(text)
  }
  // Completions are offered while typing; Escape closes the list and not the drawer.
  await write('')
  await page.keyboard.type('wh')
  await page.getByRole('option', { name: 'when' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('option', { name: 'when' }).waitFor({ state: 'detached' })
  await page.keyboard.type('en pa')
  await page.getByRole('option', { name: 'path', exact: true }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.keyboard.type(' ')
  await page.getByRole('option', { name: 'startsWith' }).waitFor()
  await expect.poll(() => drawer().getByRole('textbox', { name: 'Rule', exact: true }).textContent()).toBe('when path ')
  await write('when pth startsWith "/staff" then block')
  await drawer().getByRole('button', { name: 'column 6: expected a field' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await write('when path startsWith "/staff" and not header("x-badge") = "blue" then block')
  await drawer().getByText('Costs 3 of 2,000 units').waitFor()
  await drawer().getByText('This rule uses something the log does not have').waitFor()
  await drawer().getByLabel('Mode').click()
  await page.getByRole('option', { name: 'Enforce' }).click()
  await drawer().getByRole('button', { name: 'Add rule' }).click()
  await drawer().getByText('no strangers').waitFor()
  await drawer().getByRole('button', { name: 'shop.example.com' }).click()
  await drawer().getByRole('button', { name: 'Save bindings' }).click()
  await shop.live()
  await expect.poll(async () => (await shop.visit('/staff/plan')).status).toBe(403)
  expect((await shop.visit('/staff/plan', { 'x-badge': 'blue' })).status).not.toBe(403)
})

test('the WAF refuses an attack on the edge; an exception lets the same request pass where it is intended', async () => {
  const attack = '/editor?html=%3Cscript%3Ealert(1)%3C/script%3E'
  await open('waf')
  await page.getByRole('button', { name: 'Add module' }).first().click()
  await drawer().getByLabel('Name').fill('attacks')
  await drawer().getByLabel('Mode').click()
  await page.getByRole('option', { name: 'Enforce' }).click()
  await drawer().getByRole('button', { name: 'Add module' }).click()
  await page.getByText('Module added').waitFor()
  await drawer().getByRole('button', { name: 'shop.example.com' }).click()
  await drawer().getByRole('button', { name: 'Save bindings' }).click()
  await shop.live()
  await expect.poll(async () => (await shop.visit(attack)).status).toBe(403)
  await drawer().getByRole('button', { name: 'Add exception' }).click()
  // The module has a name, too: wait for the exception's form, which is below it.
  await drawer().getByLabel('Path', { exact: true }).fill('^/editor$')
  await drawer().getByLabel('Name').last().fill('our editor')
  await drawer().getByLabel('Parameter').fill('arg:html')
  await drawer().getByRole('button', { name: 'Add exception' }).click()
  await drawer().getByText('our editor').waitFor()
  await expect.poll(async () => (await shop.visit(attack)).status).not.toBe(403)
  expect((await shop.visit(attack.replace('editor', 'other'))).status).toBe(403)
  await until('the log to tell that the exception did something', async () => {
    await page.reload()
    await drawer().getByText('our editor').waitFor()
    await settled(page)
    return drawer().getByText('Last applied:').isVisible()
  })
  expect(await accessibilityFaults(page)).toEqual([])
})

test('one click lets the requests of an API pass', async () => {
  const put = async () =>
    (await shop.visit('/items', { 'content-type': 'application/json' }, { method: 'PUT', body: '{"name":"Ada"}' }))
      .status
  expect(await put()).toBe(403)
  await drawer().getByRole('button', { name: 'This site has an API' }).click()
  await drawer().getByText('API: PUT, PATCH and DELETE').waitFor()
  await drawer().getByRole('button', { name: 'This site has an API' }).waitFor({ state: 'detached' })
  await expect.poll(put).not.toBe(403)
})

test('what the WAF refused is allowed from its log row: only there, with a reason and an end', async () => {
  const attack = '/comment?text=%3Cscript%3Ealert(1)%3C/script%3E'
  expect((await shop.visit(attack)).status).toBe(403)
  const now = Date.now() / 1000
  const filter = { startTime: now - 300, endTime: now + 300, url: '/comment', siteIDs: [shop.siteID] }
  const [row] = await until('its row', async () => {
    const rows = await shop.change('POST', '/user/logs/access', filter)
    return rows.length > 0 && rows
  })
  await page.goto(`${product.url}/user/dataAnalysis/logger?view=search&row=${encodeURIComponent(row.id)}`)
  await drawer().getByRole('link', { name: 'Allow this here' }).click()
  await drawer().getByText('arg:text').first().waitFor()
  await expect.poll(() => drawer().getByLabel('Path', { exact: true }).inputValue()).toBe('^/comment$')
  await expect.poll(() => drawer().getByLabel('Expires').inputValue()).not.toBe('')
  await drawer().getByRole('button', { name: 'Try' }).click()
  await drawer().getByText('This request would pass: score 0, threshold 5.').waitFor()
  const passing = drawer().getByRole('definition').filter({ hasText: /^1$/ }).first()
  await passing.waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await drawer().getByLabel('Reason').fill('Our editors paste code')
  await drawer().getByRole('button', { name: 'Allow this here' }).click()
  await page.getByText('Checked again with these exceptions: the request passes.').waitFor()
  await drawer().getByText('Our editors paste code').first().waitFor()
  await drawer().getByLabel('Threshold').fill('1000')
  await drawer().getByRole('button', { name: 'Try on the last 24 hours' }).click()
  await drawer().getByText('No longer blocked, of').waitFor()
  await drawer().getByLabel('Threshold').fill('5')
  await expect.poll(async () => (await shop.visit(attack)).status).not.toBe(403)
  expect((await shop.visit(attack.replace('comment', 'other'))).status).toBe(403)
})

test('the WAF tab counts matches by rule, page and parameter, and links to the exception', async () => {
  await page.goto(`${product.url}/user/dataAnalysis/securityAnalysis?tab=waf&site=${shop.siteID}`)
  const table = page.getByRole('region', { name: 'Matches by rule, page and parameter' })
  const where = table.getByText('/comment').first()
  await where.waitFor()
  expect((await where.boundingBox())?.width).toBeGreaterThan(200)
  expect(await accessibilityFaults(page)).toEqual([])
  await table
    .getByRole('row')
    .filter({ hasText: '/comment' })
    .first()
    .getByRole('link', { name: 'Allow this here' })
    .click()
  await drawer().getByText('arg:text').first().waitFor()
  await page.keyboard.press('Escape')
})

test('a page requires a password, as the site’s owner sets it up', async () => {
  await open('authRules')
  await page.getByText('Add an auth group first. Rules say which group may pass.').waitFor()
  await page.getByRole('link', { name: 'Add group' }).click()
  await drawer().getByLabel('Name').fill('Staff')
  await drawer().getByRole('button', { name: 'Add group' }).click()
  await drawer().getByText('No entries yet: nobody can pass.').waitFor()
  await drawer().getByRole('button', { name: 'Add name and password' }).click()
  await drawer().getByLabel('Name', { exact: true }).first().fill('alice')
  await drawer().getByLabel('Password', { exact: true }).fill('short')
  await drawer().getByLabel('Password', { exact: true }).fill('correct horse')
  await drawer().getByRole('button', { name: 'Add name and password' }).click()
  await drawer().getByRole('switch', { name: 'alice enabled' }).waitFor()
  await drawer().getByRole('button', { name: 'Import an htpasswd file' }).click()
  const lines = drawer().getByLabel('Names and hashes')
  await lines.fill('bea:plain')
  await drawer().getByRole('button', { name: 'Import', exact: true }).click()
  await drawer().getByText('Unsupported hash. Use bcrypt, SHA-512 crypt or yescrypt').waitFor()
  await lines.fill('bea:$2y$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2')
  await drawer().getByRole('button', { name: 'Import', exact: true }).click()
  await drawer().getByRole('switch', { name: 'bea enabled' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await open('authRules')
  await page.getByRole('button', { name: 'Protect the admin pages' }).click()
  await drawer().getByRole('button', { name: 'Enforce' }).last().click()
  await page.getByText('require a name and password of Staff').first().waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await shop.live()
  const authorization = (password: string, name = 'alice') => ({
    authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
  })
  await expect.poll(async () => (await shop.visit('/admin/x')).status).toBe(401)
  expect((await shop.visit('/admin/x', authorization('wrong horse'))).status).toBe(401)
  expect((await shop.visit('/admin/x', authorization('correct horse'))).status).not.toBe(401)
  expect((await shop.visit('/admin/x', authorization('correct horse', 'bea'))).status).not.toBe(401)
})

test('tokens of an identity provider admit those whom they name, verified with its published keys', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const keys = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'of-id' }] })
  await open('authGroups')
  await page.getByRole('button', { name: 'Add group' }).click()
  await drawer().getByLabel('Name').fill('Identity')
  await drawer().getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'Token (JWT)' }).click()
  await drawer().getByRole('button', { name: 'Add group' }).click()
  await drawer().getByLabel('Or paste a JWKS').fill(keys)
  await drawer().getByLabel('Required claims').fill('role=admin')
  await drawer().getByRole('button', { name: 'Save JWKS' }).click()
  await drawer().getByText('of-id').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await open('authRules')
  await page.getByRole('button', { name: 'Add rule' }).click()
  await drawer().getByLabel('URL expression').fill('^/id/')
  await drawer().getByRole('combobox', { name: 'Allowed group' }).click()
  await page.getByRole('option', { name: 'Identity' }).click()
  await drawer().getByRole('button', { name: 'Enforce' }).last().click()
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = (role: string) => {
    const text = `${part({ alg: 'EdDSA', kid: 'of-id' })}.${part({ role, exp: Math.floor(Date.now() / 1000) + 600 })}`
    return { authorization: `Bearer ${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}` }
  }
  await expect.poll(async () => (await shop.visit('/id/x')).status).toBe(401)
  expect((await shop.visit('/id/x', token('guest'))).status).toBe(401)
  expect((await shop.visit('/id/x', token('admin'))).status).not.toBe(401)
})

test('visitors with a bad reputation pass a challenge, as a rule requires', async () => {
  await open('reputationRules')
  await page.getByRole('button', { name: 'Protect the sign-in page' }).click()
  expect(await accessibilityFaults(page)).toEqual([])
  await drawer().getByRole('button', { name: 'Enforce' }).last().click()
  await page.getByText('the address scores 20 or more').first().waitFor()
})

test('a list says how many rules it takes, and when it is full', async () => {
  await page.getByText('1 of 20 rules').waitFor()
  // One after the other: saves of one site wait for each other.
  for (let score = 1; score < 20; score++)
    await shop.change('POST', `${shop.of}/firewall/l7/abuseIPs`, { urlRegex: '^/', score, blockType: 1 })
  await open('reputationRules')
  await page.getByText('All 20 rules are in use', { exact: false }).first().waitFor()
  const add = page.getByRole('button', { name: 'Add rule' })
  expect([await add.getAttribute('aria-disabled'), await add.locator('..').getAttribute('title')]).toEqual([
    'true',
    'All 20 rules are in use. Delete one to add another.',
  ])
  expect(await accessibilityFaults(page)).toEqual([])
})

test('an API is what its document describes: read from a file, checked, and enforced where it counts', async () => {
  await open('apiShield')
  const upload = (text: string) =>
    page.getByLabel('Choose file').setInputFiles({ name: 'api.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) })
  const check = async (told: string) => {
    await page.getByRole('button', { name: 'Check document' }).click()
    await page.getByText(told).waitFor()
  }
  await upload('openapi: 3.1.0\npaths:\n  items: {}\n')
  await page.getByText('api.yaml read, not saved yet.').waitFor()
  await check('Invalid: Malformed path')
  await upload('openapi: 3.1.0\npaths:\n  /api/items:\n    get: {}\n')
  await check('Valid. Operations: 1; all are checked.')
  await page.getByRole('textbox', { name: 'Paths' }).fill('/api/')
  await page.getByRole('switch', { name: 'Enabled' }).click()
  await page.getByRole('combobox', { name: 'Mode' }).click()
  await page.getByRole('option', { name: 'Enforce' }).click()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Settings saved').waitFor()
  await shop.live()
  await expect.poll(async () => (await shop.visit('/api/none')).status).toBe(403)
  expect((await shop.visit('/api/items')).status).not.toBe(403)
  expect((await shop.visit('/elsewhere')).status).not.toBe(403)
})
