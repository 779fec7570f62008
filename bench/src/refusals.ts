/**
 * What a refusal costs the node: CPU of a denied request and of each challenge page, compared with a cache hit on the
 * same node. These are the responses to a flood.
 * Run: `node bench/src/refusals.ts [rounds] [seconds]`.
 */
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { Box } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { cpuOf } from './edge/workers.ts'
import { runWrk } from './edge/wrk.ts'

const [rounds, seconds] = [Number(process.argv[2] ?? 3), Number(process.argv[3] ?? 3)]
const address = '203.0.113.9'
const limited = { id: 1, urlRegex: '', rate: 0.001, burst: 1, mode: 'enforce' as const }
const rules = {
  'a hit': { rateRules: [{ ...limited, rate: 1e6, burst: 1e6, blockType: 1 }] },
  'a denial': { denyRules: [{ id: 1, urlRegex: '', methods: [], ips: [address], mode: 'enforce' as const }] },
  'the five-second shield': { rateRules: [{ ...limited, blockType: 1 }] },
  'a code': { rateRules: [{ ...limited, blockType: 2 }] },
  'a click': { rateRules: [{ ...limited, blockType: 3 }] },
  'a redirect': { rateRules: [{ ...limited, blockType: 4 }] },
  'a slider': { rateRules: [{ ...limited, blockType: 5 }] },
}
const names = Object.keys(rules)
const hostOf = (name: string): string => `host${names.indexOf(name)}.test`

await using ends = new AsyncDisposableStack()
const origin = await StubOrigin.start((_, reply) => reply.setHeader('cache-control', 'max-age=3600').end('hello'))
ends.defer(() => origin.end())
const box = await Box.start({ workers: 1 }, (disk) => {
  const settings = { trustedProxies: ['127.0.0.0/8'] }
  for (const [i, [name, firewall]] of Object.entries(rules).entries())
    disk.feed(disk.site({ site: i + 1, hosts: [hostOf(name)], origins: [{ port: origin.port }], settings, firewall }))
})
ends.defer(() => box.end())

/** CPU time of the worker in µs per request. */
async function measure(name: string): Promise<number> {
  const file = join(box.settings.folder, 'refusals.lua')
  writeFileSync(
    file,
    `wrk.headers = { Host = '${hostOf(name)}', ['X-Forwarded-For'] = '${address}', Accept = 'text/html,*/*',
      ['Accept-Language'] = 'en-US,en;q=0.9,zh-TW;q=0.5', ['User-Agent'] = 'Mozilla/5.0 (X11; Linux x86_64)' }
    done = function(summary) io.write('REQUESTS ', summary.requests, '\\n') end`,
  )
  const before = cpuOf(box.workers())
  const options = ['-t1', '-c16', `-d${seconds}s`, '-s', file, `http://127.0.0.1:${box.settings.httpPort}/`]
  const stdout = await runWrk(options)
  return (cpuOf(box.workers()) - before) / Number(/REQUESTS (\d+)/.exec(stdout)?.[1])
}

const seen = new Map<string, number[]>(names.map((name) => [name, []]))
for (let round = 0; round <= rounds; round++)
  for (const [name, times] of seen) {
    const took = await measure(name)
    // The first round fills buckets and cache.
    if (round > 0) times.push(took)
  }
const middle = (name: string): number => seen.get(name)!.sort((a, b) => a - b)[rounds >> 1]!
console.log(`${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}; the middle of ${rounds} rounds of ${seconds} s`)
for (const name of names) {
  const [status, ratio] = [
    (await box.request(hostOf(name), '/', { headers: { 'x-forwarded-for': address } })).status,
    middle(name) / middle('a hit'),
  ]
  console.log(`${name} (${status}): ${middle(name).toFixed(1)} µs, ${ratio.toFixed(2)} x a hit`)
}
