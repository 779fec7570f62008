/** Guessing at challenges: a blind solver runs out of tries, and each further challenge costs more work. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerPath, answerTo, bitsIn, type Solved, solve } from './challenge-page.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start()
  const rule = (id: number, path: string, blockType: number) => ({
    ...{ id, urlRegex: `^/${path}`, rate: 0.001, burst: 0, blockType, mode: 'enforce' as const },
  })
  box = await Box.start({}, (disk) =>
    disk.feed(
      ...[1, 2].map((site) =>
        disk.site({
          site,
          hosts: [`site${site}.test`],
          origins: [{ port: origin.port }],
          settings: { trustedProxies: ['127.0.0.1'] },
          firewall: { rateRules: [rule(2, 'code', 2), rule(5, 'slide', 5)] },
        }),
      ),
    ),
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const headers = (address: string) => ({ 'user-agent': 'Solver/1', 'x-forwarded-for': address })

/** A challenge page, for an address that may have sent requests before. */
async function challenge(path: string, address: string, host = 'site1.test'): Promise<string> {
  for (;;) {
    const reply = await box.request(host, path, { headers: headers(address) })
    if (reply.status === 503) return reply.text
  }
}

const post = async (address: string, { t, n }: Solved, answer: string): Promise<number> =>
  (
    await box.request('site1.test', answerPath, {
      ...{ method: 'POST', headers: headers(address), body: `t=${t}&n=${n}&a=${answer}` },
    })
  ).status

/** A challenge may be answered only after a second. */
async function whenOld(page: string): Promise<Solved> {
  const solved = solve(page)
  const made = Number(solved.t.split('.')[1])
  await until('a page of a second', () => Date.now() >= made + 1050)
  return solved
}

/** The answer that a person would give, and a wrong one. */
const rightTo = (page: string, address: string): string => answerTo(page, { address, userAgent: 'Solver/1' })
const wrongTo = (page: string): string => (isSlider(page) ? '1,1' : 'x')
const isSlider = (page: string): boolean => page.includes('type="range"')

// Each test has its own addresses, and mostly waits for its pages to be old enough.
test.concurrent.each(['/code', '/slide'])(
  'after three wrong answers to %s even the right one is refused',
  async (path) => {
    const address = path === '/code' ? '198.51.100.1' : '198.51.100.2'
    const page = await challenge(path, address)
    const solved = await whenOld(page)
    for (let i = 0; i < 3; i++) expect(await post(address, solved, wrongTo(page))).toBe(403)
    expect(await post(address, solved, rightTo(page, address))).toBe(403)
  },
)

test.concurrent('after two wrong answers a third try is allowed, and a right answer counts once', async () => {
  const address = '198.51.100.3'
  const page = await challenge('/slide', address)
  const solved = await whenOld(page)
  for (let i = 0; i < 2; i++) expect(await post(address, solved, '1,1')).toBe(403)
  expect(await post(address, solved, rightTo(page, address))).toBe(204)
  expect(await post(address, solved, rightTo(page, address))).toBe(403)
})

test.concurrent('each wrong answer raises the work, and after three, earlier pages are void', async () => {
  const address = '198.51.100.4'
  const collected = []
  for (let i = 0; i < 3; i++) collected.push(await challenge('/slide', address))
  expect(collected.map(bitsIn)).toEqual([16, 16, 16])
  const solved = await Promise.all(collected.map(whenOld))
  for (let i = 0; i < 3; i++) {
    expect(await post(address, solved[i % 2]!, '1,1')).toBe(403)
    expect(bitsIn(await challenge('/slide', address))).toBe(17 + i)
  }
  expect(await post(address, solved[2]!, rightTo(collected[2]!, address)), 'a page from before').toBe(403)
  const next = await challenge('/code', address)
  expect(bitsIn(next), 'the price is the same for every kind').toBe(19)
  const paid = await whenOld(next)
  expect(
    await post(address, { t: paid.t.replace('.19.', '.16.'), n: paid.n }, rightTo(next, address)),
    'a cheaper token',
  ).toBe(403)
  expect(await post(address, paid, rightTo(next, address))).toBe(204)
})

test.concurrent('wrong answers from an IPv6 /64 count together, and affect no other network or site', async () => {
  const page = await challenge('/slide', '2001:db8:1:2::1')
  const solved = await whenOld(page)
  for (let i = 0; i < 3; i++) expect(await post(`2001:db8:1:2::${i + 1}`, solved, '1,1')).toBe(403)
  const bits = async (address: string, host?: string) => bitsIn(await challenge('/slide', address, host))
  expect(await bits('2001:db8:1:2:ffff::9')).toBe(19)
  expect(await bits('2001:db8:1:3::1')).toBe(16)
  expect(await bits('198.51.100.5')).toBe(16)
  expect(await bits('2001:db8:1:2::1', 'site2.test')).toBe(16)
})

test.concurrent('answers without the work are refused unchecked: they cost no tries and reveal nothing', async () => {
  const address = '198.51.100.6'
  const page = await challenge('/slide', address)
  const solved = await whenOld(page)
  for (let i = 0; i < 20; i++)
    expect(await post(address, { ...solved, n: solved.n + 1 + i }, rightTo(page, address))).toBe(403)
  expect(await post(address, solved, rightTo(page, address))).toBe(204)
})

test.concurrent('a blind solver of slider and code does not pass in 24 guesses with the required work', async () => {
  // Eight visitors, one challenge each: a fourth guess would cost 2^19 hashes and more.
  const passes: number[] = []
  for (let n = 0; n < 8; n++) {
    const address = `203.0.113.${n + 1}`
    const page = await challenge(n % 2 === 0 ? '/slide' : '/code', address)
    const solved = await whenOld(page)
    for (let i = 0; i < 3; i++) {
      const guess = n % 2 === 0 ? `${60 + 40 * i},100` : `${n}${i}${n}${i}7`
      if (!guessIsRight(page, guess, address)) passes.push(await post(address, solved, guess))
    }
    expect(bitsIn(await challenge('/slide', address))).toBeGreaterThan(16)
  }
  expect(new Set(passes)).toEqual(new Set([403]))
})

/** A guess that happens to be right proves nothing: one in 407. */
function guessIsRight(page: string, guess: string, address: string): boolean {
  const right = rightTo(page, address)
  if (!isSlider(page)) return right === guess
  const [x, y] = right.split(',').map(Number)
  const [givenX, givenY] = guess.split(',').map(Number)
  return Math.abs(x! - givenX!) <= 4 && Math.abs(y! - givenY!) <= 4
}
