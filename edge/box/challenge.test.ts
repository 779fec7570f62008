/** Challenges: whoever solves one stays passed; copying, answering too early, guessing or tampering fails. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unseenBitsMin } from '../src/request/lib/challenge-price.ts'
import { answerPath, answerTo, bitsIn, type Solved, solve } from './challenge-page.ts'
import type { Reply } from './client.ts'
import { Box, until, type Visit } from './harness.ts'
import { StubOrigin } from './origin.ts'

const browser = { 'user-agent': 'Browser/1' }
let box: Box
let other: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start()
  const rule = (id: number, path: string, blockType: number) => ({
    id,
    urlRegex: `^/${path}`,
    // Two requests, then none for a long time, however slow the machine is.
    rate: 0.001,
    burst: 1,
    blockType,
    mode: 'enforce' as const,
  })
  const prepare = (disk: Box['disk']) =>
    disk.feed(
      ...[1, 2].map((site) =>
        disk.site({
          site,
          hosts: [`site${site}.test`],
          origins: [{ port: origin.port }],
          settings: { trustedProxies: ['127.0.0.1'] },
          firewall: {
            rateRules: [
              rule(1, 'shield', 1),
              rule(2, 'code', 2),
              rule(3, 'click', 3),
              rule(4, 'redirect', 4),
              rule(5, 'slide', 5),
            ],
          },
        }),
      ),
    )
  ;[box, other] = await Promise.all([Box.start({}, prepare), Box.start({ nodeId: 8 }, prepare)])
})
afterAll(async () => {
  await box?.end()
  await other?.end()
  await origin?.end()
})

let visitors = 0
/** A visitor from a separate network. */
const visitor = (): string => {
  visitors += 1
  return `198.51.${visitors}.9`
}
const from = (address: string, more: Visit = {}): Visit => ({
  ...more,
  headers: { ...browser, 'x-forwarded-for': address, ...more.headers },
})

/** Four concurrent requests, which exceed the rule however slow the machine is; sorted by status. */
async function four(path: string, visit: Visit, host = 'site1.test', node = box): Promise<Reply[]> {
  const replies = await Promise.all(Array.from({ length: 4 }, () => node.request(host, path, visit)))
  return replies.sort((one, other) => one.status - other.status)
}

const challenged = async (path: string, address: string): Promise<Reply> => (await four(path, from(address))).at(-1)!

const send = (
  address: string,
  answer: { t: string; n: number },
  a = '',
  host = 'site1.test',
  more: Record<string, string> = {},
  node = box,
) =>
  node.request(
    host,
    answerPath,
    from(address, { method: 'POST', body: `t=${answer.t}&n=${answer.n}&a=${a}`, headers: more }),
  )

/**
 * A visitor who solved the shield and answered before the five seconds were over is refused. A slow machine may need
 * several tries to be that quick.
 */
async function tooEarly(): Promise<{ me: string; answer: Solved; madeAt: number }> {
  for (;;) {
    const me = visitor()
    const page = await challenged('/shield', me)
    expect(page.status).toBe(503)
    const answer = solve(page.text)
    const { status } = await send(me, answer)
    const madeAt = Number(answer.t.split('.')[1])
    if (Date.now() > madeAt + 5000) continue
    expect(status, 'too early').toBe(403)
    return { me, answer, madeAt }
  }
}

const answerFor = (page: Reply, address: string) => answerTo(page.text, { address, userAgent: 'Browser/1' })

const cookieOf = (reply: Reply): string => reply.headers['set-cookie']![0]!.split(';')[0]!
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('the shield passes whoever worked and waited, once, on any node; tampered or copied answers fail', async () => {
  const { me, answer, madeAt } = await tooEarly()
  await until('a page of five seconds', () => Date.now() > madeAt + 5100)
  expect((await send(visitor(), answer)).status, 'another network').toBe(403)
  expect((await send(me, answer, '', 'site2.test')).status, 'another site').toBe(403)
  expect((await send(me, answer, '', 'site1.test', { 'user-agent': 'Other/2' })).status, 'another browser').toBe(403)
  expect((await send(me, { ...answer, n: answer.n + 1 })).status, 'no work').toBe(403)
  const flipped = answer.t.slice(0, -1) + (answer.t.endsWith('A') ? 'B' : 'A')
  expect((await send(me, { ...answer, t: flipped })).status, 'a flipped bit').toBe(403)
  const passed = await send(me, answer)
  expect(passed.status).toBe(204)
  expect((await send(me, answer)).status, 'replayed').toBe(403)

  const cookie = cookieOf(passed)
  expect(passed.headers['set-cookie']![0]).toMatch(/HttpOnly; SameSite=Lax$/)
  const status = async (node: Box, host: string, address: string, value: string, more: Record<string, string> = {}) =>
    (await four('/shield', from(address, { headers: { cookie: value, ...more } }), host, node)).at(-1)!.status
  expect(await status(box, 'site1.test', me, cookie)).toBe(200)
  expect(await status(other, 'site1.test', me, cookie), 'another node of the group').toBe(200)
  expect(await status(box, 'site1.test', me.replace(/9$/, '77'), cookie), 'the same network').toBe(200)
  expect(await status(box, 'site2.test', me, cookie), 'another site').toBe(503)
  expect(await status(box, 'site1.test', visitor(), cookie), 'another network').toBe(503)
  expect(await status(box, 'site1.test', me, cookie, { 'user-agent': 'Other/2' }), 'another browser').toBe(503)
  const longer = cookie.replace(/1\.(\d+)\./, (_, end: string) => `1.${Number(end) + 60}.`)
  expect(await status(box, 'site1.test', me, longer), 'a longer life').toBe(503)
})

test('a passed visitor is still refused far above the rule', async () => {
  const me = visitor()
  const first = await challenged('/redirect', me)
  const cookie = cookieOf(first)
  const statuses = new Set<number>()
  // On a slow machine the requests may be spread out, and not exceed the rule by far.
  await expect
    .poll(async () => {
      const crowd = Array.from({ length: 60 }, () =>
        box.request('site1.test', '/redirect', from(me, { headers: { cookie } })),
      )
      for (const { status } of await Promise.all(crowd)) statuses.add(status)
      return [...statuses].sort()
    })
    .toEqual([200, 429])
})

test('challenge pages are not cacheable, and JSON clients get a problem document', async () => {
  const me = visitor()
  const page = await challenged('/shield', me)
  expect(page.headers['cache-control']).toBe('no-store')
  const problem = (await four('/shield', from(me, { headers: { accept: 'application/json' } }))).at(-1)!
  expect(problem.status).toBe(503)
  expect(JSON.parse(problem.text)).toMatchObject({ status: 503, reference: expect.any(String) })
})

test('the click and the redirect', async () => {
  const me = visitor()
  const page = await challenged('/click', me)
  const answer = solve(page.text)
  await wait(1100)
  expect((await send(me, answer)).status).toBe(204)
  const redirected = await challenged('/redirect?x=1', me)
  expect(redirected.status).toBe(302)
  expect(redirected.headers.location).toBe('/redirect?x=1')
  const cookie = cookieOf(redirected)
  expect((await box.request('site1.test', '/redirect', from(me, { headers: { cookie } }))).status).toBe(200)
  // The redirect requires so little that it does not replace the shield.
  expect((await four('/shield', from(me, { headers: { cookie } }))).at(-1)!.status).toBe(503)
})

test('the slider accepts positions near its ring only, in both directions', async () => {
  const visitors = [visitor(), visitor(), visitor()]
  const pages = await Promise.all(visitors.map((address) => challenged('/slide', address)))
  const rings = pages.map((page, n) => answerFor(page, visitors[n]!).split(',').map(Number))
  const answers = pages.map((page) => solve(page.text))
  await wait(1100)
  const judged = (n: number, x: number, y: number) =>
    send(visitors[n]!, answers[n]!, `${rings[n]![0]! + x},${rings[n]![1]! + y}`)
  expect((await judged(0, 4, -4)).status).toBe(204)
  expect((await judged(1, 5, 0)).status).toBe(403)
  expect((await judged(2, 0, -5)).status).toBe(403)
})

test('whoever reads the code passes; it is only in the picture, and a guess is refused', async () => {
  const [me, you] = [visitor(), visitor()]
  const pages = [await challenged('/code', me), await challenged('/code', you)]
  const [mine, yours] = pages.map((page) => solve(page.text))
  const digits = answerFor(pages[0]!, me)
  expect(digits).toMatch(/^\d{5}$/)
  const ownTo = ({ text }: Reply) =>
    text
      .replace(/base64,[^"]*/, '')
      .replace(/T="[^"]*"/, '')
      .replace(/<dd>.*?<\/dd>/, '')
  expect(ownTo(pages[0]!), 'besides picture, token and reference all pages are alike').toBe(ownTo(pages[1]!))
  await wait(1100)
  const elsewhere = await send(me, mine!, digits, 'site1.test', {}, other)
  expect(elsewhere.status, 'tries would be counted at each node apart').toBe(403)
  expect((await send(me, mine!, digits)).status).toBe(204)
  expect((await send(you, yours!, digits)).status).toBe(403)
})

test('visitors who cannot see the picture pass with 64 times the work, and not with less', async () => {
  const me = visitor()
  const page = await challenged('/code', me)
  expect(bitsIn(page.text)).toBe(16)
  // One in 64 solutions of the usual work also satisfies the work for visitors who cannot see.
  const [usual, unseen] = [solve(page.text, 16, unseenBitsMin), solve(page.text, unseenBitsMin)]
  await wait(1100)
  expect((await send(me, usual, 'unseen')).status).toBe(403)
  expect((await send(me, unseen, 'unseen')).status).toBe(204)
  const shield = await challenged('/shield', me)
  expect((await send(me, solve(shield.text), 'unseen')).status, 'nothing is spared of another mode').toBe(403)
})
