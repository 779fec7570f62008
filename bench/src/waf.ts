/**
 * What the WAF costs a request, at paranoia level 1 with browser headers: CPU of the worker with it, minus that of the
 * same request without it; with the prefilter, with every rule's expression run, and in Debian's nginx with its
 * ModSecurity connector and the same rule set, if that is installed (libnginx-mod-http-modsecurity). For an uncached
 * page the response rules run too, without the connector. Each round measures all of them in random order.
 * Run: `node bench/src/waf.ts [rounds] [seconds] [regular expression of kinds]`.
 */
import { Agent, request } from 'node:http'
import { cpus } from 'node:os'
import { Box } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { givePrefilter } from '../../edge/box/prefilter.ts'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'
import { blocking, hasModSecurity, ModSecurity, watchedHost } from '../../tests/harness/modsecurity.ts'
import { besideEachOther, quantile } from './edge/paired.ts'
import { watchMachine } from './edge/processes.ts'
import { cpuOf, workersOf } from './edge/workers.ts'

const [rounds, seconds] = [process.argv[2] ?? 5, process.argv[3] ?? 0.5].map(Number) as [number, number]
const isAsked = new RegExp(process.argv[4] ?? '')
/** A site has a budget for its WAF, which a single site would use up. */
const sites = 8

const headers = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.9,de;q=0.8',
  'accept-encoding': 'gzip, deflate, br',
  referer: 'https://www.example.com/products/list?page=3&sort=price',
  cookie: '_ga=GA1.2.2048708085.1413477326; session=7f3c9a1e5b8d4026; theme=dark; csrftoken=Xa81kdL2mZp0qWvRt6',
}
const words = 'two old friends met near our house last summer talked about garden flowers birds weather'.split(' ')
/** Prose of this many bytes, different each time. */
const prose = (bytes: number) => {
  let text = ''
  while (text.length < bytes) text += `${words[Math.floor(Math.random() * words.length)]} `
  return text
}
const form = (fields: Record<string, string>) => ({
  method: 'POST',
  path: '/form',
  body: new URLSearchParams(fields).toString(),
})
const number = () => Math.floor(Math.random() * 1e6)
const kinds = {
  'cached GET': () => ({ method: 'GET', path: '/page', body: '' }),
  'GET with a query': () => ({
    method: 'GET',
    path: `/search?q=red+shoes+${number()}&page=${number()}&sort=price_asc`,
    body: '',
  }),
  'form of 1 KB': () => form({ name: `Ada ${number()}`, city: 'London', text: prose(900), token: `${number()}` }),
  'form of 40 KB': () => form({ name: `Ada ${number()}`, text: prose(40_000) }),
  'page of 40 KB from the origin': () => ({ method: 'GET', path: `/article/${number()}`, body: '' }),
}
const isOfAnswers = (kind: Kind) => kind === 'page of 40 KB from the origin'
type Kind = keyof typeof kinds

const origin = await StubOrigin.start((asked, reply) => {
  if (!asked.url!.startsWith('/article/')) return reply.setHeader('cache-control', 'max-age=3600').end('x'.repeat(1024))
  reply.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' })
  return reply.end(`<html><body>${`<p class="text">${prose(400)}</p>\n`.repeat(95)}</body></html>`)
})
const boxOf = () =>
  Box.start({ workers: 1 }, (disk) => {
    const origins = [{ port: origin.port }]
    const { part: rules, responses } = coreRuleSet()
    const waf = { rules, module: { overBudget: 'pass' as const } }
    const answers = { ...waf, responses: { mode: 'enforce' as const, rules: responses! } }
    for (let n = 0; n < sites; n++) {
      disk.feed(disk.site({ site: n + 1, hosts: [`on-${n}.test`], origins, requires: ['waf'], waf }))
      disk.feed(disk.site({ site: n + 101, hosts: [`off-${n}.test`], origins }))
      const requires = ['waf', 'wafResponses'] as const
      disk.feed(
        disk.site({ site: n + 201, hosts: [`answers-${n}.test`], origins, requires: [...requires], waf: answers }),
      )
    }
  })
const filtered = await boxOf()
const plain = await boxOf()
const other = hasModSecurity ? await ModSecurity.start(origin.port, blocking) : undefined

type Side = { port: number; workers(): number[]; host(n: number, kind: Kind): string }
const ofBox = (box: Box, is: 'on' | 'off'): Side => ({
  port: box.settings.httpPort,
  workers: () => box.workers().slice(0, 1),
  host: (n, kind) => `${is === 'on' && isOfAnswers(kind) ? 'answers' : is}-${n % sites}.test`,
})
const sides: Record<string, Side> = {
  'without, prefilter': ofBox(filtered, 'off'),
  'with, prefilter': ofBox(filtered, 'on'),
  'without, own': ofBox(plain, 'off'),
  'with, own': ofBox(plain, 'on'),
  ...(other && {
    'without, ModSecurity': { port: other.port, workers: () => workersOf(other.pid), host: () => 'off.test' },
    'with, ModSecurity': { port: other.port, workers: () => workersOf(other.pid), host: () => watchedHost },
  }),
}
const agent = new Agent({ keepAlive: true, maxSockets: 2 })

function ask(side: Side, kind: Kind, n: number): Promise<void> {
  const { method, path, body } = kinds[kind]()
  const type = body === '' ? {} : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length }
  return new Promise((resolve, reject) => {
    request(
      {
        agent,
        port: side.port,
        host: '127.0.0.1',
        method,
        path,
        headers: { ...headers, ...type, host: side.host(n, kind) },
      },
      (reply) =>
        reply
          .resume()
          .on('end', () => (reply.statusCode === 200 ? resolve() : reject(new Error(`${kind}: ${reply.statusCode}`)))),
    )
      .on('error', reject)
      .end(body)
  })
}

/** CPU time of the worker in µs per request. */
async function measure(side: Side, kind: Kind): Promise<number> {
  const [before, end] = [cpuOf(side.workers()), Date.now() + seconds * 1000]
  let count = 0
  while (Date.now() < end) {
    await Promise.all([ask(side, kind, count), ask(side, kind, count + 1)])
    count += 2
  }
  return (cpuOf(side.workers()) - before) / count
}

try {
  for (let n = 0; n < sites; n++)
    for (const kind of ['cached GET', 'page of 40 KB from the origin'] as const)
      await ask(sides['with, prefilter']!, kind, n)
  await givePrefilter(filtered)
  const machine = watchMachine()
  for (const kind of (Object.keys(kinds) as Kind[]).filter((one) => isAsked.test(one))) {
    const names = Object.keys(sides).filter((name) => !(isOfAnswers(kind) && name.endsWith('ModSecurity')))
    const seen: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]))
    for (let warm = 0; warm < sites * 10; warm++)
      for (const name of names.slice(0, 4)) await ask(sides[name]!, kind, warm)
    for (let round = 0; round < rounds; round++)
      for (const name of names.toSorted(() => Math.random() - 0.5)) seen[name]!.push(await measure(sides[name]!, kind))
    const more = (name: string) => seen[`with, ${name}`]!.map((one, n) => one - seen[`without, ${name}`]![n]!)
    const ours = more('prefilter')
    console.log(
      `${kind}: ${quantile(seen['without, prefilter']!, 0.5).toFixed(0)} µs without, ${quantile(ours, 0.5).toFixed(0)} µs more`,
    )
    for (const name of ['own', ...(other && !isOfAnswers(kind) ? ['ModSecurity'] : [])])
      console.log(
        `  against ${name === 'ModSecurity' ? 'ModSecurity’s connector' : 'our own without the prefilter'}: ${quantile(more(name), 0.5).toFixed(0)} µs more, ${besideEachOther(more(name), ours)} of it`,
      )
  }
  const cut = [...filtered.rows(), ...plain.rows()].filter(({ waf }) => waf?.includes('budget:'))
  console.log(
    `${cpus()[0]?.model}, ${machine()}; ${rounds} rounds of ${seconds} s; ${cut.length} requests were not looked at whole`,
  )
} finally {
  agent.destroy()
  await filtered.end()
  await plain.end()
  await other?.end()
  await origin.end()
}
