import { readdirSync, readFileSync } from 'node:fs'
import { Box } from '../../../edge/box/harness.ts'
import { StubOrigin } from '../../../edge/box/origin.ts'
import { givePrefilter } from '../../../edge/box/prefilter.ts'
import { coreRuleSet } from '../../../server/src/waf/core-rule-set.ts'
const origin = await StubOrigin.start((_, reply) => reply.setHeader('cache-control', 'max-age=3600').end('hello'))
const box = await Box.start({ workers: 1 }, (disk) => {
  const waf = { rules: coreRuleSet().part, module: { overBudget: 'pass' as const } }
  const origins = [{ port: origin.port }]
  disk.feed(disk.site({ site: 206, hosts: ['shop.test'], origins, requires: ['waf'], waf }))
  disk.feed(disk.site({ site: 207, hosts: ['plain.test'], origins }))
})
try {
  await box.request('shop.test', '/')
  await givePrefilter(box)
  const [worker] = box.workers()
  const cpu = () => Object.fromEntries(readdirSync(`/proc/${worker}/task`).map((t) => [t, readFileSync(`/proc/${worker}/task/${t}/schedstat`, 'utf8').split(' ').map(Number)]))
  const rss = () => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${worker}/status`, 'utf8'))![1]
  const form = (i: number) => 'text=' + ('%2525u003c%26%23x3c%3b%5cu003C%5cx3c' + i + '%2f*%2b*%2f').repeat(750)
  const send = (host: string, i: number) => box.request(host, '/form', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form(i) })
  console.log('rss', rss())
  for (let i = 0; i < 300; i++) await send('shop.test', i)
  console.log('rss', rss())
  for (const host of ['plain.test', 'shop.test']) {
    const before = cpu(); const perf = host === 'shop.test' ? (await import('node:child_process')).spawn('perf', ['record', '-F', '5000', '-o', '/tmp/b/perf.data', '-t', String(worker), '--', 'sleep', '10'], { stdio: 'ignore' }) : undefined; if (perf) await new Promise((r) => setTimeout(r, 300))
    for (let i = 0; i < 200; i++) { await send(host, 1000 + i); await new Promise((r) => setTimeout(r, 20)) }
    const after = cpu(); if (perf) { await new Promise((r) => perf.on('exit', r)) }
    for (const t of Object.keys(after)) { const b = before[t] ?? [0,0,0]; const a = after[t]!; if (a[0]! - b[0]! > 0) console.log(host, t === String(worker) ? 'worker' : 'thread', ((a[0]! - b[0]!) / 200 / 1000).toFixed(0), 'µs a form, waited', ((a[1]! - b[1]!) / 200 / 1000).toFixed(0)) }
  }
  console.log('rss', rss(), box.rows().slice(-2).map((r) => r.waf), box.errors().slice(0, 500))
} finally { await box.end(); await origin.end() }
