/**
 * An attack drill on the whole product: public tools attack a shop behind the edge, and what they do is stopped, explained
 * and reported, while who shops and who edits go on. Runs with `script/test --all tests/attack`; see docs/attack-drill.md.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
/** A crowd of machines. */
const flooders = Array.from({ length: 32 }, (_, n) => `127.0.2.${n + 1}`)

let shop: DemoShop
let product: Product
let site: Shop
let browser: Awaited<ReturnType<typeof openBrowser>>
let console: Page
let operator: Shop['change']
let photograph: ReturnType<typeof photographer>
let module: number
const relays: Relay[] = []

const relay = async (addresses: string[], port = product.edgePort) => {
  const made = await relayFrom(addresses, port)
  relays.push(made)
  return made.port
}
/** How many requests of an address the log has, with what else it shall say of them. */
const logged = async (ip: string[], filter: object = {}) => {
  const now = Date.now() / 1000
  const body = { startTime: now - 1800, endTime: now + 60, siteIDs: [site.siteID], ip, pageSize: 100, ...filter }
  return (await site.api.call('POST', '/user/logs/access', body)).body as { total: number; data: LoggedRow[] }
}
type LoggedRow = { reqID: string; guard: string; action: string; status: number; url: string; waf: string }
const explain = async (reference: string) => (await site.api.call('POST', '/user/logs/explain', { reference })).body.data
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
  console = await person(browser)
  await signIn(console, product, 'user')
  photograph = photographer(console, `${product.url}/user`)
}, 600_000)

afterAll(async () => {
  await browser?.close()
  for (const one of relays) await one.stop()
  await product?.stop()
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

drill('a shopper and an editor at paranoia 1: who is refused falsely, and how that is solved', async () => {
  const { browser: own, page } = await openVisitor(site.host)
  const url = `http://${site.host}:${await relay(['127.0.3.1'])}`
  await goShopping(page, url, customer)
  const status = await saveArticle(page, url, article)
  globalThis.console.info('the editor’s form without an exception:', status)
  const { data } = await logged(['127.0.3.1'], { status: [403] })
  globalThis.console.info(data.map(({ url, waf }) => `${url} ${waf}`))
  await own.close()
})

drill('sqlmap finds nothing with the WAF, neither as itself nor in disguise', async () => {
  const port = await relay([scanner])
  for (const how of [
    [],
    ['--random-agent'],
    ['--random-agent', '--tamper=space2comment,between,randomcase'],
    ['--random-agent', '--level=3', '--risk=2'],
  ]) {
    const before = shop.asked().requests
    const { found, said } = await sqlmap(port, site.host, ...how)
    globalThis.console.info('sqlmap', how.join(' '), found, 'reached the shop:', shop.asked().requests - before, said.slice(-600))
    expect([how, found]).toEqual([how, false])
  }
})

drill('nikto: the share of its requests that is refused', async () => {
  const port = await relay(['127.0.1.3'])
  for (const agent of ['Mozilla/5.00 (Nikto/2.1.5)', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36']) {
    const before = shop.asked().requests
    const { requests } = await nikto(port, site.host, agent, 60)
    globalThis.console.info('nikto', agent, requests, 'reached the shop:', shop.asked().requests - before)
  }
  await photograph('waf-tab', `/dataAnalysis/securityAnalysis?tab=waf&site=${site.siteID}`)
  await photograph('security', `/dataAnalysis/securityAnalysis?site=${site.siteID}`)
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
  globalThis.console.info('stuffing', statuses.join(' '), 'reached', shop.asked().signIns - before)
  const [banned] = await until('the ban in the list', async () => {
    const rows = (await site.api.call('GET', `/user/blockIPs?siteID=${site.siteID}&ips=${stuffer}`)).body.data
    return rows.length > 0 && rows
  })
  expect(banned).toMatchObject({ ip: stuffer, causes: ['antiCC'] })
  await photograph('banned', `/sitesManagement/blockList?site=${site.siteID}`)
  const told = await until('the request that led to it', async () => {
    const { body } = await site.api.call('POST', '/user/logs/explain', { reference: banned.reference })
    return body.data?.row && body.data
  })
  expect(told).toMatchObject({ guard: 'antiCC' })
})

drill('a flood is seen and kept from the origin, and a visitor shops meanwhile', async () => {
  await site.change('PUT', '/user/setting/notify', {
    ...{ locale: 'en_US', tg: '', webhook: '', events: { attackBegun: ['email'], attackOver: ['email'] } },
  })
  const port = await relay(flooders)
  const before = shop.asked().requests
  const flooding = flood(port, site.host, '/', 60)
  const state = await until('the attack to be seen', async () => {
    const seen = await site.change('GET', `${site.of}/firewall/setting/adv/state`)
    return seen.challenges && seen
  })
  const atBegin = shop.asked().requests
  globalThis.console.info('state', JSON.stringify(state), 'reached before', atBegin - before)
  const { browser: own, page } = await openVisitor(site.host)
  const start = performance.now()
  await goShopping(page, `http://${site.host}:${await relay(['127.0.3.2'])}`, customer)
  globalThis.console.info('shopping took', performance.now() - start)
  await own.close()
  await photograph('overview', '/dashboard')
  await photograph('site-mode', `/sitesManagement/sitesSetting/${site.siteID}/shop?tab=siteMode`)
  await photograph('attacks', '/sitesManagement/attacks')
  await photograph('security-flood', `/dataAnalysis/securityAnalysis?site=${site.siteID}`)
  await photograph('report', `/sitesManagement/attacks?attack=${state.attacks[0].id}`)
  const said = await flooding
  globalThis.console.info(said, 'reached in all', shop.asked().requests - before, 'since', shop.asked().requests - atBegin)
  const letters = await operator('GET', '/client/setting/email/letters')
  globalThis.console.info(JSON.stringify(letters).slice(0, 600))
  const report = await site.change('GET', `/user/attacks/report?attack=${state.attacks[0].id}`)
  globalThis.console.info(JSON.stringify(report).slice(0, 3000))
})

drill('each kind of refusal is explained', async () => {
  for (const [ips, filter] of [
    [[scanner], { guard: ['waf'] }],
    [[stuffer], { guard: ['antiCC'] }],
    [[stuffer], { status: [429] }],
    [flooders, { guard: ['siteMode'] }],
  ] as const) {
    const { data } = await logged([...ips], filter)
    const told = await explain(data[0]?.reqID ?? '')
    globalThis.console.info(JSON.stringify(filter), data[0]?.url, told?.guard, told?.explanation?.verdict)
  }
})
