/** WAF rules for origin responses, on the wire. */
import { once } from 'node:events'
import { request as httpRequest, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { givePrefilter } from '../../edge/box/prefilter.ts'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'

/** The origin's response for a path. */
const answers = new Map<string, (response: ServerResponse) => void>()
const browser = { accept: '*/*', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => answers.get(request.url ?? '')!(response))
  box = await Box.start({ workers: 1 }, (disk) => {
    const { part: rules, responses } = coreRuleSet()
    const answered = (id: number, host: string, mode: 'observe' | 'enforce') =>
      disk.site({
        ...{ site: id, hosts: [host], origins: [{ port: origin.port }], requires: ['waf', 'wafResponses'] },
        waf: { rules, module: {}, responses: { mode, rules: responses! } },
      })
    disk.feed(answered(8, 'answers.test', 'enforce'))
    disk.feed(answered(9, 'seen.test', 'observe'))
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

/** Bodies that leak, and the rule that detects them. */
const leaks: [string, string, number][] = [
  ['sql', "<p>You have an error in your SQL syntax; check the manual near 'x' at line 1 (MySQL)</p>", 951230],
  ['listing', '<html><head><title>Index of /.git</title></head><body><h1>Index of /.git</h1></body></html>', 950130],
  ['stack', 'java.lang.NullPointerException at org.apache.catalina.core.StandardWrapper.load()', 952110],
]
/** Sends a GET and returns the response, whose body is still to be read. */
async function read(host: string, path: string) {
  const request = httpRequest({
    ...{ port: box.settings.httpPort, host: '127.0.0.1', agent: false, path, headers: { ...browser, host } },
  })
  request.end()
  const [answer] = await once(request, 'response')
  return answer
}
const textOf = async (answer: AsyncIterable<Buffer>) => {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

test('a leaking response is refused with a page and a reference, is not stored, and passes if it is only observed', async () => {
  for (const [name, text, rule] of leaks) {
    for (const [cached, control] of [
      ['stored', 'max-age=60'],
      ['unstored', 'no-store'],
    ] as const) {
      const path = `/${name}-${cached}`
      let body = text
      answers.set(path, (response) =>
        response.writeHead(200, { 'content-type': 'text/html', 'cache-control': control }).end(body),
      )
      const refused = await read('answers.test', path)
      const page = await textOf(refused)
      expect([path, refused.statusCode, refused.headers['cache-control']]).toEqual([path, 403, 'no-store'])
      expect(page).not.toContain(text)
      expect(page).toMatch(/<dd>[\w-]{55}<\/dd>/)
      const seen = await read('seen.test', path)
      expect([path, seen.statusCode, await textOf(seen)]).toEqual([path, 200, text])
      const rows = () => box.rows().filter((one) => one.path === path && one.waf !== '')
      await until(`both rows of ${path}`, () => rows().length === 2)
      for (const [action, site] of [
        ['block', 8],
        ['observe', 9],
      ])
        expect(rows().find((one) => one.site === site)).toMatchObject({ guard: 'waf', rule, action, cause: 904 })
      body = 'Good morning.'
      const healed = await read('answers.test', path)
      expect([path, healed.statusCode, await textOf(healed)]).toEqual([path, 200, body])
    }
  }
})

test('a leak after the first 64 KB is cut off before its end, and not stored', async () => {
  const [before, leak] = ['x '.repeat(60_000), leaks[0]![1]]
  let finish: () => void = () => {}
  answers.set('/late', (response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'max-age=60' }).write(before)
    finish = () => response.end(leak)
  })
  for (let n = 0; n < 2; n++) {
    const answer = await read('answers.test', '/late')
    expect(answer.statusCode).toBe(200)
    await once(answer, 'data')
    finish()
    await expect(textOf(answer)).rejects.toThrow()
  }
  expect(origin.asked.filter(({ url }) => url === '/late').length).toBe(2)
  const seen = await read('seen.test', '/late')
  const [first] = await once(seen, 'data')
  finish()
  expect(`${first}${await textOf(seen)}`).toBe(before + leak)
})

test('responses that pass are what the origin sent: events and pages piece by piece, pictures and long ones untouched', async () => {
  const paths = { events: 'text/event-stream', page: 'text/html' }
  for (const [name, type] of Object.entries(paths)) {
    for (const host of name === 'page' ? ['seen.test'] : ['seen.test', 'answers.test']) {
      let finish: () => void = () => {}
      answers.set(`/${name}`, (response) => {
        response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).write('data: one\n\n')
        finish = () => response.end(leaks[0]![1])
      })
      const answer = await read(host, `/${name}`)
      // The first piece has arrived before the origin has sent the second.
      expect(String((await once(answer, 'data'))[0])).toBe('data: one\n\n')
      finish()
      expect(await textOf(answer)).toBe(leaks[0]![1])
    }
  }
  const long = Buffer.concat([Buffer.from(leaks[0]![1]), Buffer.alloc(2_000_000, 'y')])
  answers.set('/long', (response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': long.length }).end(long),
  )
  answers.set('/chunks', (response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).write('ab'.repeat(500_000))
    response.end('cd'.repeat(500_000))
  })
  answers.set('/image', (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(leaks[0]![1]))
  expect((await textOf(await read('answers.test', '/long'))).length).toBe(long.length)
  expect((await textOf(await read('answers.test', '/chunks'))).length).toBe(2_000_000)
  expect(await textOf(await read('answers.test', '/image'))).toBe(leaks[0]![1])
})

test('a response rule that the zone only observes is logged and cuts nothing off, until it is released', async () => {
  const { part, responses } = coreRuleSet()
  const [wafRules, wafResponses] = [part, responses!].map((rules) => box.disk.part(rules))
  const configure = async (revision: number, more: object) => {
    const body = { revision, forceSSLRedirectCode: 301, wafRules, wafResponses, ...more }
    await box.control('POST', '/configuration', body)
    if (revision === 21) await givePrefilter(box)
    await until(`revision ${revision} at work`, async () => (await box.state()).configuration === revision)
  }
  const [[, sql, rule], [, listing]] = [leaks[0]!, leaks[1]!]
  const answered = async (path: string, text: string) => {
    answers.set(path, (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(text))
    return (await read('answers.test', path)).statusCode
  }
  await configure(21, { wafObserved: [rule] })
  expect(await answered('/observed-sql', sql)).toBe(200)
  const row = () => box.rows().find(({ path, waf }) => path === '/observed-sql' && waf !== '')
  await until('its row', row)
  expect(row()).toMatchObject({ guard: 'waf', rule, action: 'observe' })
  expect(row()!.waf).toContain(`new:${rule}`)
  expect(await answered('/observed-listing', listing)).toBe(403)
  await configure(22, {})
  expect(await answered('/released-sql', sql)).toBe(403)
})
