/** A large uncached object: one fetch for all clients, read while it is being written. */
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Box, until } from '../harness.ts'
import { StubOrigin } from '../origin.ts'
import { ask, cacheOf } from './ask.ts'

const half = Buffer.alloc(3_000_000, 'first half ')
const rest = Buffer.alloc(3_000_000, 'second half ')
const whole = half.length + rest.length
const clients = 20

let box: Box
let origin: StubOrigin
/** The responses that the origin has half sent, by path. */
const held = new Map<string, ServerResponse[]>()

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    response.writeHead(200, {
      'Cache-Control': 'max-age=60',
      ETag: '"one"',
      ...(request.url!.startsWith('/sized') && { 'Content-Length': whole }),
    })
    response.write(half)
    held.set(request.url!, [...(held.get(request.url!) ?? []), response])
  })
  box = await Box.start({}, (disk) =>
    disk.feed(disk.site({ origins: [{ port: origin.port }], settings: { originFirstByteTimeoutMs: 60_000 } })),
  )
})
afterEach(() => {
  for (const one of [...held.values()].flat()) one.destroy()
  held.clear()
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

type Reader = {
  bytes: number
  status: number
  ended: boolean
  failed: boolean
  response?: IncomingMessage
  leave: () => void
}

/** Opens a request and counts what arrives. */
function read(path: string): Reader {
  const options = { port: box.settings.httpPort, host: '127.0.0.1', path, agent: false, headers: { host: 'site.test' } }
  const request = httpRequest(options)
  const reader: Reader = { bytes: 0, status: 0, ended: false, failed: false, leave: () => request.destroy() }
  request.on('error', () => {
    reader.failed = true
  })
  request.on('response', (response) => {
    reader.response = response
    reader.status = response.statusCode!
    response.on('data', (chunk: Buffer) => {
      reader.bytes += chunk.length
    })
    response.on('error', () => {
      reader.failed = true
    })
    response.on('end', () => {
      reader.ended = true
    })
  })
  request.end()
  return reader
}

const timesAsked = (path: string) => origin.asked.filter(({ url }) => url === path).length
function release(path: string): void {
  for (const response of held.get(path)!) response.end(rest)
}

test.each(['/sized', '/chunked'])('20 clients of %s cause one fetch, and all get bytes at once', async (path) => {
  const readers = Array.from({ length: clients }, () => read(path))
  try {
    // The origin has not sent the second half: clients with bytes read while the object is being written.
    await until('first bytes at every client', () => readers.every(({ bytes }) => bytes > 0))
    // To the client whose response is stored, nginx sends all but some buffers.
    const almost = half.length - 100_000
    await until('the first half at every client', () => readers.every(({ bytes }) => bytes > almost))
    expect(timesAsked(path)).toBe(1)
    release(path)
    await until('the end at every client', () => readers.every(({ ended }) => ended))
    expect(readers.map(({ bytes }) => bytes)).toEqual(Array(clients).fill(whole))
    expect(timesAsked(path)).toBe(1)
  } finally {
    for (const { leave } of readers) leave()
  }
  expect(cacheOf(await ask(box, '1.1', 'site.test', { path }))).toBe('HIT')
})

test('the first client may disconnect: the others get the whole object', async () => {
  const path = '/sized-leave'
  const first = read(path)
  await until('first bytes', () => first.bytes > 0)
  const second = read(path)
  try {
    await until('first bytes at the second', () => second.bytes > 0)
    first.leave()
    await until('the first half', () => second.bytes === half.length)
    release(path)
    await until('the end', () => second.ended || second.failed)
    expect([second.bytes, second.failed, timesAsked(path)]).toEqual([whole, false, 1])
  } finally {
    first.leave()
    second.leave()
  }
})

test('a client that does not read does not delay the others', async () => {
  const path = '/sized-slow'
  const slow = read(path)
  await until('a response', () => slow.response !== undefined)
  slow.response!.pause()
  const quick = read(path)
  try {
    await until('the first half', () => quick.bytes === half.length)
    release(path)
    await until('the end', () => quick.ended)
    expect([quick.bytes, timesAsked(path)]).toEqual([whole, 1])
    slow.response!.resume()
    await until('the end at the slow one', () => slow.ended)
    expect(slow.bytes).toBe(whole)
  } finally {
    slow.leave()
    quick.leave()
  }
})

test.each(['/sized-cut', '/chunked-cut'])(
  'if the origin of %s aborts, no client mistakes the half for the whole',
  async (path) => {
    const readers = Array.from({ length: 5 }, () => read(path))
    try {
      await until('first bytes at every client', () => readers.every(({ bytes }) => bytes > 0))
      for (const response of held.get(path)!) response.destroy()
      await until('the end', () => readers.every(({ failed, ended }) => failed || ended))
      expect(readers.filter(({ failed }) => !failed)).toEqual([])
    } finally {
      for (const { leave } of readers) leave()
    }
    const before = timesAsked(path)
    const again = read(path)
    await until('a new fetch', () => timesAsked(path) > before)
    again.leave()
  },
)

test('a range request for an object that is being fetched is answered', async () => {
  const path = '/sized-range'
  const first = read(path)
  await until('first bytes', () => first.bytes > 0)
  const request = httpRequest({
    ...{ port: box.settings.httpPort, host: '127.0.0.1', path, agent: false },
    headers: { host: 'site.test', range: 'bytes=11-20' },
  })
  request.end()
  try {
    // An origin without range support sends the whole object: then the release below ends both.
    const answered = once(request, 'response') as Promise<[IncomingMessage]>
    await Promise.race([answered, until('a second fetch', () => timesAsked(path) > 1, 15_000).catch(() => {})])
    release(path)
    const [response] = await answered
    expect([200, 206]).toContain(response.statusCode)
    let bytes = 0
    for await (const chunk of response) bytes += (chunk as Buffer).length
    expect(bytes).toBe(response.statusCode === 206 ? 10 : whole)
  } finally {
    first.leave()
    request.destroy()
  }
})
