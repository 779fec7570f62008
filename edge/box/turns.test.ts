/** Long work of a worker is split into slices: other requests are answered before it ends. */
import { writeFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import type { NginxTallies } from '@breakwater/contract/edge/tallies.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'
import type { NodeDisk } from './disk.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((_, response) => {
    response.setHeader('cache-control', 'max-age=3600').end('hello')
  })
  const prepare = (disk: NodeDisk) => {
    const origins = [{ port: origin.port }]
    const waf = { rules: coreRuleSet().part, module: { overBudget: 'pass' as const } }
    disk.feed(disk.site({ site: 1, hosts: ['shop.test'], origins, requires: ['waf'], waf }))
    disk.feed(disk.site({ site: 2, hosts: ['quiet.test'], origins }))
    const rule = { id: 1, urlRegex: '', rate: 0.001, burst: 2, blockType: 2, mode: 'enforce' as const }
    const settings = { trustedProxies: ['127.0.0.0/8'] }
    disk.feed(disk.site({ site: 3, hosts: ['flood.test'], origins, settings, firewall: { rateRules: [rule] } }))
  }
  const change = (conf: string) => conf.replace(/(listen [^;]*control\.sock[^;]*;)/, `$1 ${tallyKeys}`)
  box = await Box.start({ workers: 1, trustedProxies: ['127.0.0.0/8'] }, prepare, change)
  await box.request('quiet.test', '/')
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

/** Returns the number of tally sums in shared memory, all of which each exchange scans. */
const tallyKeys = 'location = /tally-keys { content_by_lua_block { ngx.say(#ngx.shared.tallies:get_keys(0)) } }'

/** How many consecutive requests to another site are answered while some work is running. */
async function answeredDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  for (let answered = 0; ; answered++) {
    const { status } = await box.request('quiet.test', '/')
    if (isOver) {
      await work
      return answered
    }
    expect(status).toBe(200)
  }
}

/** The number answered without slicing: the request that had already started. */
const withoutSlices = 1

test('a form that needs every decoder', async () => {
  const body = `text=${'%2525u003c%26%23x3c%3b%5cu003C%5cx3c%2f*%2b*%2f'.repeat(850)}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const asked = box.request('shop.test', '/form', { method: 'POST', headers, body })
  expect(await answeredDuring(asked)).toBeGreaterThan(withoutSlices)
})

test('a purge by tag with more than a million bytes of tagged URLs', async () => {
  const line = (n: number) => JSON.stringify({ site: 2, key: `http/quiet.test/page-${n}`, tags: ['shoes', `n${n}`] })
  const lines = Array.from({ length: 100_000 }, (_, n) => line(n))
  writeFileSync(join(box.settings.folder, 'cache/tags.log'), `${lines.join('\n')}\n`)
  const purges = [{ id: 1, site: 2, type: 'tag', values: ['hats'] }]
  expect(await answeredDuring(box.control('POST', '/purge', { purges }))).toBeGreaterThan(withoutSlices)
})

test('a page of sites with many expressions, all of which are in force afterwards', async () => {
  const rateRules = (n: number) =>
    Array.from({ length: 20 }, (_, at) => ({
      ...{ id: at + 1, urlRegex: `^/(section|part)-${n}-${at}/[a-z0-9-]+\\.(css|js)$`, rate: 10, burst: 20 },
      ...{ blockType: 2, mode: 'enforce' as const },
    }))
  const entries = Array.from({ length: 100 }, (_, n) => {
    const origins = [{ port: origin.port }]
    return box.disk.site({ site: n + 10, hosts: [`many${n}.test`], origins, firewall: { rateRules: rateRules(n) } })
  })
  const applied = box.control('POST', '/apply', { entries })
  expect(await answeredDuring(applied)).toBeGreaterThan(withoutSlices)
  expect(await applied).toEqual({ refused: [] })
  for (const n of [0, 50, 99]) expect((await box.request(`many${n}.test`, '/')).status).toBe(200)
})

/** One request from each of `addresses` addresses, over keep-alive connections. */
async function flood(addresses: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const from = (n: number) => ({ host: 'flood.test', 'x-forwarded-for': `10.9.${n >> 8}.${n & 255}` })
  const ask = (n: number) =>
    new Promise<void>((resolve, reject) => {
      httpRequest({ agent, port: box.settings.httpPort, host: '127.0.0.1', headers: from(n) }, (reply) =>
        reply.resume().on('end', resolve),
      )
        .on('error', reject)
        .end()
    })
  await Promise.all(Array.from({ length: addresses }, (_, n) => ask(n)))
  agent.destroy()
}

test('tallies of thousands of addresses are removed once they are reported to the agent', async () => {
  await flood(4_000)
  // Each worker adds its notes once a second.
  let told = 0
  await until('all of them to be told', async () => {
    const { keys = [] } = await box.control<Partial<NginxTallies>>('POST', '/tallies', { keys: [] })
    told += keys.length
    return told >= 3_000
  })
  const isEmpty = async () => {
    await box.control('POST', '/tallies', { keys: [] })
    return (await box.control<number>('GET', '/tally-keys')) === 0
  }
  // Without removal they would be kept for thirty seconds.
  await until('none of them to be left', isEmpty, 15_000)
})
