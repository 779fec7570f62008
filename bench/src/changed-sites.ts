/**
 * What a site's visitors experience while their node applies a page of a thousand other sites, as a change to all sites
 * sends it: each has twenty rules with an expression of its own, all compiled by the one worker. Compared with the same
 * visitors while nothing is applied, in turns.
 * Run: `node bench/src/changed-sites.ts [rounds]`.
 */
import { cpus } from 'node:os'
import { Box } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { quantile } from './edge/paired.ts'
import { watchMachine } from './edge/processes.ts'

const rounds = Number(process.argv[2] ?? 5)
const [sites, rules] = [1000, 20]

const origin = await StubOrigin.start((_, reply) => reply.setHeader('cache-control', 'max-age=3600').end('hello'))
const origins = [{ port: origin.port }]
const box = await Box.start({ workers: 1 }, (disk) => disk.feed(disk.site({ site: 1, hosts: ['quiet.test'], origins })))

/** Latencies of the visitors' requests, sent one after the other until `end` settles, in ms. */
async function visitUntil(end: Promise<unknown>): Promise<number[]> {
  let isOver = false
  void end.finally(() => {
    isOver = true
  })
  const took: number[] = []
  while (!isOver) {
    const began = performance.now()
    const { status } = await box.request('quiet.test', '/')
    if (status !== 200) throw new Error(`a visitor got ${status}`)
    took.push(performance.now() - began)
  }
  await end
  return took
}

const page = (round: number) =>
  Array.from({ length: sites }, (_, n) => {
    const rateRules = Array.from({ length: rules }, (_, at) => ({
      ...{ id: at + 1, urlRegex: `^/(section|part)-${n}-${at}-${round}/[a-z0-9-]+\\.(css|js)$`, rate: 10, burst: 20 },
      ...{ blockType: 2, mode: 'enforce' as const },
    }))
    return box.disk.site({ site: n + 2, revision: round + 1, hosts: [`s${n}.test`], origins, firewall: { rateRules } })
  })

async function take(round: number): Promise<void> {
  const { refused } = await box.control<{ refused: unknown[] }>('POST', '/apply', { entries: page(round) })
  if (refused.length > 0) throw new Error(`${refused.length} sites were refused`)
}

try {
  await box.request('quiet.test', '/')
  const machine = watchMachine()
  const [beside, alone, pages]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    beside.push(...(await visitUntil(take(round))))
    pages.push(performance.now() - began)
    alone.push(...(await visitUntil(new Promise((done) => setTimeout(done, 1000)))))
  }
  const at = (took: number[], q: number) => quantile(took, q)
  const say = (q: number) =>
    `p${100 * q} ${at(beside, q).toFixed(1)} ms, ${(at(beside, q) / at(alone, q)).toFixed(1)} x of ${at(alone, q).toFixed(1)} ms with nothing to be taken`
  console.log(`${cpus()[0]?.model}, ${machine()}; ${rounds} pages of ${sites} sites with ${rules} expressions each`)
  console.log(
    `a page is in force after ${at(pages, 0.5).toFixed(0)} ms; a visitor's answer meanwhile: ${say(0.5)}; ${say(0.99)}`,
  )
} finally {
  await box.end()
  await origin.end()
}
