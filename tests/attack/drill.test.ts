/**
 * An attack drill on the whole product: public tools attack a shop behind the edge. Their attacks are stopped,
 * explained and reported, while shoppers and editors are not disturbed. Runs with `script/test --all tests/attack`; see
 * docs/attack-drill.md.
 */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import { exceptionFor, readWaf } from '@breakwater/contract/modules/waf-exceptions.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServerUnderTest, startMailServer } from '../../server/src/messages/testing.ts'
import { signIn as apiOf } from '../harness/api.ts'
import { everything } from '../harness/everything.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { until } from '../harness/until.ts'
import { openBrowser, person, signIn } from '../walk/browser.ts'
import { fetchTools, flood, nikto, type Relay, relayFrom, sqlmap, stuffCredentials } from './attackers.ts'
import { customer, type DemoShop, startDemoShop } from './demo-shop.ts'
import { photographer } from './photographs.ts'
import { article } from './shop-pages.ts'
import { goShopping, openVisitor, saveArticle } from './visitor.ts'

const drill = test.skipIf(!everything)
const scanner = '127.0.1.1'
const stuffer = '127.0.1.2'
/** Addresses of a botnet. */
const flooders = Array.from({ length: 32 }, (_, n) => `127.0.2.${n + 1}`)

let shop: DemoShop
let product: Product
let site: Shop
let browser: Awaited<ReturnType<typeof openBrowser>>
let desk: Page
let operator: Shop['change']
let photograph: ReturnType<typeof photographer>
let module: number
let mail: MailServerUnderTest
const relays: Relay[] = []

const relay = async (addresses: string[], host?: string) => {
  const made = await relayFrom(addresses, product.edgePort, host)
  relays.push(made)
  return made.port
}
/** The log's rows for these addresses, with further filters. */
const logged = async (ip: string[], filter: object = {}) => {
  const now = Date.now() / 1000
  const body = { startTime: now - 1800, endTime: now + 60, siteIDs: [site.siteID], ip, pageSize: 100, ...filter }
  return (await site.api.call('POST', '/user/logs/access', body)).body as { total: number; data: LoggedRow[] }
}
type LoggedRow = Pick<AccessLogRow, 'id' | 'reqID' | 'url' | 'waf'>
/** What Explain reports for a request, once its row is stored. */
const explained = (reference: string) =>
  until('the row to be explained', async () => {
    const { body } = await site.api.call('POST', '/user/logs/explain', { reference })
    return body.data?.row && body.data
  })
const setMode = (more: object) =>
  site.change('PUT', `${site.of}/firewall/setting/adv`, {
    ...{ enable: true, mode: 'auto', threshold: 100, blockType: 1, blockSeconds: 600, whiteUrls: [], ...more },
  })

beforeAll(async () => {
  if (!everything) return
  fetchTools()
  shop = await startDemoShop()
  ;[product, browser] = await Promise.all([startProduct(), openBrowser()])
  site = await openShop(product, shop.port)
  const api = await apiOf(product.url, 'client', product.accounts.operator, product.accounts.password)
  operator = async (method, path, body) => (await api.call(method, path, body)).body.data
  desk = await person(browser)
  await signIn(desk, product, 'user')
  photograph = photographer(desk, `${product.url}/user`)
}, 600_000)

afterAll(async () => {
  await browser?.close()
  for (const one of relays) await one.stop()
  await product?.stop()
  await mail?.close()
  await shop?.stop()
})

drill('without the WAF, sqlmap finds the hole through the edge', async () => {
  const { found, said } = await sqlmap(await relay([scanner]), site.host, '--random-agent')
  expect(found, said).toBe(true)
})

drill('the WAF is set up as a customer does: one module, enforced at paranoia 1', async () => {
  const { ids } = await site.change('POST', `${site.of}/module/wafs`, {
    modules: [{ name: 'attacks', mode: 'enforce', paranoia: 1 }],
  })
  module = ids[0]
  const [domain] = await site.change('GET', `${site.of}/domains`)
  await site.change('PUT', `${site.of}/domains/module/waf`, { domainIDs: [domain.id], moduleID: module })
  await site.live()
  await until('the WAF on the node', async () => (await site.visit('/search?q=%27+or+1%3D1+--+')).status === 403)
})

drill('who shops passes at paranoia 1; an editor’s HTML is refused until it is allowed where it is meant', async () => {
  const { browser: own, page } = await openVisitor(site.host)
  const from = ['127.0.3.1']
  const url = `http://${site.host}:${await relay(from)}`
  await goShopping(page, url, customer)
  expect((await logged(from, { guard: ['waf'] })).total).toBe(0)
  // The Core Rule Set takes HTML in a form for an attack; libmodsecurity blocks it, too.
  expect(await saveArticle(page, url, article)).toBe(403)
  const [row] = await until('its row', async () => {
    const { data } = await logged(from, { guard: ['waf'], url: '/editor' })
    return data.length > 0 && data
  })
  const { matches } = readWaf(row!.waf)
  console.info('the editor’s form was refused by', row!.waf)
  const [memo, expiresAt] = ['Our editors write HTML', new Date(Date.now() + 30 * 86_400_000).toISOString()]
  await site.change('POST', `${site.of}/module/waf/${module}/exclusions`, {
    row: row!.id,
    items: matches.map((match) => ({
      ...{
        ...exceptionFor(match, { path: '/editor', method: 'POST' }),
        name: `editor ${match.ruleID}`,
        memo,
        expiresAt,
      },
    })),
  })
  await site.live()
  await until('the form to pass', async () => (await saveArticle(page, url, article)) === 200)
  expect(shop.saved().replaceAll('\r\n', '\n')).toBe(article)
  const elsewhere = `q=${encodeURIComponent(article)}`
  expect((await site.visit(`/search?${elsewhere}`)).status).toBe(403)
  await own.close()
})

drill('sqlmap finds nothing with the WAF, neither as itself nor in disguise', async () => {
  const port = await relay([scanner])
  const disguised = '--random-agent'
  for (const how of [[], [disguised], [disguised, '--tamper=space2comment,between,randomcase']]) {
    const before = shop.asked().requests
    const { found } = await sqlmap(port, site.host, ...how)
    expect([how, found]).toEqual([how, false])
    console.info(`sqlmap ${how.join(' ')}: ${shop.asked().requests - before} requests reached the shop`)
  }
})

drill('a scanner that says its name is refused whole; in disguise it sees what is no attack', async () => {
  for (const [address, agent] of [
    ['127.0.1.3', 'Mozilla/5.00 (Nikto/2.1.5)'],
    ['127.0.1.4', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'],
  ] as const) {
    const before = shop.asked().requests
    const said = await nikto(await relay([address], site.host), agent, 40)
    const reached = shop.asked().requests - before
    const total = await until(`the rows of nikto, which said ${said}`, async () => {
      const rows = (await logged([address])).total
      return rows > 500 && rows
    })
    console.info(`nikto as ${agent}: ${reached} requests reached the shop, of at least ${total}`)
    if (agent.includes('Nikto')) expect(reached).toBeLessThan(0.01 * total)
  }
  await photograph('security', `/dataAnalysis/securityAnalysis?site=${site.siteID}`)
  await photograph('waf-tab', `/dataAnalysis/securityAnalysis?tab=waf&site=${site.siteID}`)
  expect(await desk.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})

drill('stuffing credentials ends in a ban that is listed with its cause', async () => {
  await operator('PUT', '/client/setting/frequency', { items: [{ name: '10 / 60 s', seconds: 60, times: 10 }] })
  const [frequency] = await site.change('GET', '/user/setting/frequency')
  await site.change('POST', `${site.of}/firewall/l7/antiCCs`, {
    ...{ urlRegex: '^/login$', type: frequency.id, blockType: 1, blockSeconds: 600 },
  })
  await setMode({})
  await site.live()
  const before = shop.asked().signIns
  const statuses = await stuffCredentials(stuffer, 60, site.visit)
  const times = (status: number) => statuses.filter((one) => one === status).length
  console.info(`of 60 tries 401: ${times(401)}, challenged: ${times(503)}, banned: ${times(429)}`)
  expect(shop.asked().signIns - before).toBeLessThanOrEqual(10)
  expect(statuses.at(-1)).toBe(429)
  const [banned] = await until('the ban in the list', async () => {
    const rows = (await site.api.call('GET', `/user/blockIPs?siteID=${site.siteID}&ips=${stuffer}`)).body.data
    return rows.length > 0 && rows
  })
  expect(banned).toMatchObject({ ip: stuffer, causes: ['antiCC'] })
  await photograph('banned', `/sitesManagement/blockList?site=${site.siteID}`)
  expect(await explained(banned.reference)).toMatchObject({ guard: 'antiCC' })
})

drill('who wants a notice of attacks by mail sets that up', async () => {
  mail = await startMailServer({ secure: false, disabledCommands: ['STARTTLS'] })
  const settings = {
    ...{ host: '127.0.0.1', port: mail.port, account: 'mailer', password: 'right', encryption: 'none' },
    from: 'Harbour <no-reply@harbour.example>',
  }
  await operator('POST', '/client/setting/email/test', { ...settings, to: 'me@harbour.example' })
  await operator('PUT', '/client/setting/email', { ...settings, enable: true })
  await operator('POST', '/client/setting/email/test', { ...settings, to: 'me@harbour.example' })
  expect(mail.letters).toHaveLength(2)
  await site.change('PUT', '/user/account/self', { email: 'shopkeeper@shop.example' })
  const events = { attackBegun: ['email'], attackOver: ['email'] }
  await site.change('PUT', '/user/setting/notify', { locale: 'en_US', tg: '', webhook: '', events })
})

drill('a flood is seen and kept from the origin, told and reported, and a visitor shops meanwhile', async () => {
  const port = await relay(flooders)
  const flooding = flood(port, site.host, '/', 60)
  const state = await until('the attack to be seen', async () => {
    const seen = await site.change('GET', `${site.of}/firewall/setting/adv/state`)
    return seen.challenges && seen
  })
  expect(state).toMatchObject({ switchedBy: 'traffic', attacks: [{ reason: 'requests', endedAt: null }] })
  const waiting = await site.change('GET', '/user/dashboard/attention')
  expect(waiting).toContainEqual(expect.objectContaining({ kind: 'siteUnderAttack', siteID: site.siteID }))
  const letter = await until('the notice', async () =>
    mail.letters.find(({ subject }) => /is under attack$/.test(subject ?? '')),
  )
  expect(letter.to).toEqual([expect.objectContaining({ address: 'shopkeeper@shop.example' })])
  expect(letter.text).toMatch(/gets \d+ abnormal requests a second; the threshold is \d+/)
  expect(letter.text).toContain(`attacks?attack=${state.attacks[0].id}`)
  const began = performance.now()
  const { browser: own, page } = await openVisitor(site.host)
  await goShopping(page, `http://${site.host}:${await relay(['127.0.3.2'])}`, customer)
  console.info(`a visitor solved the challenge and shopped within ${Math.round(performance.now() - began)} ms`)
  await own.close()
  const reached = shop.asked().requests
  const attack = state.attacks[0].id
  await photograph('overview', '/dashboard')
  await photograph('site-mode', `/sitesManagement/sitesSetting/${site.siteID}/shop?tab=siteMode`)
  await photograph('attacks', '/sitesManagement/attacks')
  await photograph('report', `/sitesManagement/attacks?attack=${attack}`)
  const said = await flooding
  // Console and visitor are closed: nothing of the flood reaches the shop.
  expect(shop.asked().requests).toBe(reached)
  const report = await site.change('GET', `/user/attacks/report?attack=${attack}`)
  console.info(
    said,
    `report: ${report.requests} requests, ${report.challenged} challenged, ${report.toOrigin} to the origin`,
  )
  expect(report.guards).toContainEqual(expect.objectContaining({ guard: 'siteMode', action: 'challenge' }))
  expect(report.challenged).toBeGreaterThan(0.9 * report.requests)
  expect((await site.change('GET', '/user/attacks')).map(({ id }: { id: number }) => id)).toContain(attack)
})

drill('each kind of refusal is explained by its guard', async () => {
  for (const [ips, guard] of [
    [[scanner], 'waf'],
    [[stuffer], 'antiCC'],
    [[stuffer], 'bans'],
    [flooders, 'siteMode'],
  ] as const) {
    const { data } = await logged([...ips], { guard: [guard] })
    expect(await explained(data[0]!.reqID)).toMatchObject({ guard })
  }
})
