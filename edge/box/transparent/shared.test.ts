/** Clients that share a fetch get the whole object, compressed or not; must-revalidate objects are not shared. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from '../harness.ts'
import { StubOrigin } from '../origin.ts'
import { ask, header, versions } from './ask.ts'

/** A script of more than a megabyte that compresses to a quarter, like real ones. */
const script = Array.from(
  { length: 26_000 },
  (_, i) => `function f${((i * 2_654_435_761) % 4_294_967_296).toString(36)}(a){return ${i}+a}\n`,
).join('')

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    const isAsked = request.url!.startsWith('/asked')
    response.writeHead(200, {
      'Cache-Control': isAsked ? 'public, max-age=0' : 'max-age=60',
      'Content-Type': 'application/javascript',
      'Content-Length': script.length,
      ETag: 'W/"1"',
    })
    response.end(request.method === 'HEAD' ? undefined : script)
  })
  box = await Box.start({}, (disk) => disk.feed(disk.site({ origins: [{ port: origin.port }] })))
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const decode = { br: brotliDecompressSync, gzip: gunzipSync }

test.each(['br', 'gzip', undefined] as const)(
  'four clients that accept %s get a large script completely, every time',
  async (accepted) => {
    const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-encoding': accepted }
    for (let i = 0; i < 8; i++)
      for (const version of versions) {
        const path = `/asked/${accepted}/${version}/${i}`
        const visit = () => ask(box, version, 'site.test', { path, headers, patience: 30_000 })
        for (const answers of [
          await Promise.all([visit(), visit(), visit(), visit()]),
          [await visit()],
          [await visit()],
        ])
          for (const answer of answers) {
            const encoding = header(answer, 'content-encoding')
            expect(encoding, path).toBe(accepted)
            const body = accepted === undefined ? answer.body : decode[accepted](answer.body)
            expect([answer.status, body.toString() === script], path).toEqual([200, true])
          }
      }
  },
)

test('an object that must be revalidated is requested again by each client after a response', async () => {
  for (const version of versions) {
    const path = `/asked/each-time/${version}`
    for (let i = 1; i <= 4; i++) {
      await ask(box, version, 'site.test', { path })
      expect(origin.asked.filter(({ url }) => url === path)).toHaveLength(i)
    }
  }
})
