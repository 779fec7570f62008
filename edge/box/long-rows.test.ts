/** A log row stays small whatever a visitor sends, for hits too, whose rows nginx writes without truncating text. */
import { connect } from 'node:http2'
import { longHeader, longPath, longQuery } from '@breakwater/contract/edge/events.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

const long = {
  path: `/${'p'.repeat(longPath + 100)}`,
  query: 'q'.repeat(longQuery + 100),
  referer: `https://${'r'.repeat(longHeader + 100)}`,
  userAgent: 'a'.repeat(longHeader + 100),
}
const logged = {
  path: long.path.slice(0, longPath),
  query: long.query.slice(0, longQuery),
  referer: long.referer.slice(0, longHeader),
  userAgent: long.userAgent.slice(0, longHeader),
}
const none = { path: '/none', query: '', referer: '', userAgent: '' }
const short = { path: '/short', query: 'a=1', referer: 'https://shop.test/', userAgent: 'test' }

/** Each has one long text; then all of them, short ones, and none. */
const asked = [
  ...Object.entries(long).map(([name, text]) => ({
    asks: { ...short, [name]: text },
    row: { ...short, [name]: logged[name as keyof typeof logged] },
  })),
  { asks: long, row: logged },
  { asks: short, row: short },
  { asks: none, row: none },
]

let box: Box
let origin: StubOrigin
beforeAll(async () => {
  origin = await StubOrigin.start((_request, response) => {
    response.setHeader('cache-control', 'max-age=600').end('body')
  })
  box = await Box.start({ workers: 1 }, (disk) => disk.feed(disk.site({ origins: [{ port: origin.port }] })))
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

test('long text is truncated in the row of a hit, and absent text is empty, over HTTP/1.1 and over HTTP/2 with compressed headers', async () => {
  const target = ({ path, query }: typeof short) => (query === '' ? path : `${path}?${query}`)
  const headers = ({ referer, userAgent }: typeof short): Record<string, string> =>
    referer === '' ? {} : { referer, 'user-agent': userAgent }
  const overHttp1 = async (asks: typeof short) => {
    const reply = await box.request('site.test', target(asks), { headers: headers(asks) })
    return String(reply.headers['x-cache'])
  }
  const session = connect(`https://127.0.0.1:${box.settings.httpsPort}`, {
    rejectUnauthorized: false,
    servername: 'site.test',
  })
  const overHttp2 = (asks: typeof short) =>
    new Promise<string>((resolve, reject) => {
      const stream = session.request({ ':authority': 'site.test', ':path': target(asks), ...headers(asks) })
      stream.on('error', reject)
      stream.on('response', (answer) => resolve(String(answer['x-cache'])))
      stream.resume().end()
    })
  for (const ask of [overHttp1, overHttp2])
    for (const { asks } of asked) {
      await ask(asks)
      expect(await ask(asks)).toBe('HIT')
    }
  session.destroy()
  await box.stop('SIGQUIT')
  const rows = box.rows()
  const wanted = asked.flatMap(({ row }) => [row, row])
  expect(rows.map(({ path, query, referer, userAgent }) => ({ path, query, referer, userAgent }))).toEqual([
    ...wanted,
    ...wanted,
  ])
  // A header sent again over HTTP/2 is a reference of a few bytes: the size of a request says nothing about its headers.
  const overHttp2Rows = rows.filter(({ httpVersion }) => httpVersion === '2')
  expect(overHttp2Rows.some((row) => row.userAgent.length === longHeader && row.bytesReceived < longHeader)).toBe(true)
})
