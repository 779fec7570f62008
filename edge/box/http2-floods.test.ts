/** Floods of HTTP/2 frames: each is ended by nginx's limits per connection, and a neighbouring site stays fast. */
import { readFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Box, until } from './harness.ts'
import { fields, flags, frame, frameTypes, Http2Client, requestFields } from './http2-raw.ts'
import { StubOrigin } from './origin.ts'

let box: Box
/** Another nginx that is not flooded: its p99 meanwhile shows the machine's own load. */
let calm: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    if (request.url!.startsWith('/slow')) return
    response.setHeader('cache-control', 'max-age=3600').end('x'.repeat(request.url === '/big' ? 2_000_000 : 1000))
  })
  const start = () =>
    Box.start({}, (disk) =>
      disk.feed(
        disk.site({ origins: [{ port: origin.port }] }),
        disk.site({ site: 2, hosts: ['neighbour.test'], origins: [{ port: origin.port }] }),
      ),
    )
  ;[box, calm] = [await start(), await start()]
})
afterAll(async () => {
  await box?.end()
  await calm?.end()
  await origin?.end()
})

const open = (settings?: [number, number][]) => Http2Client.open(box.settings.httpsPort, 'site.test', settings)

/** Sends batch after batch until the edge ends the connection. Returns the number of frames, or infinity. */
async function flood(client: Http2Client, batch: (n: number) => Buffer[], framesMax: number): Promise<number> {
  let sent = 0
  while (!client.closed && sent < framesMax) {
    const frames = batch(sent)
    client.send(...frames)
    sent += frames.length
    await client.drained()
  }
  if (sent >= framesMax) await until('the end of the connection', () => client.closed, 5000).catch(() => undefined)
  return client.closed ? sent : Number.POSITIVE_INFINITY
}

const agents = new Map<Box, Agent>()

/** The duration of one request to the neighbour in ms, over a keep-alive connection. It must succeed. */
async function visit(to: Box): Promise<number> {
  const agent = agents.get(to) ?? new Agent({ keepAlive: true, maxSockets: 1 })
  agents.set(to, agent)
  const began = performance.now()
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: 'neighbour.test' }
    httpRequest({ agent, port: to.settings.httpPort, host: '127.0.0.1', path: '/small', headers }, (reply) =>
      reply.resume().on('end', () => resolve(reply.statusCode)),
    )
      .on('error', reject)
      .end()
  })
  expect(status).toBe(200)
  return performance.now() - began
}

const p99 = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!

/**
 * The p99 of the neighbour's response times in ms while `during` runs, and its limit: generous compared with another
 * nginx that is requested alternately and shares the machine.
 */
async function neighbour(during: Promise<unknown>): Promise<{ tookMs: number; maxMs: number }> {
  let goesOn = true
  void during.finally(() => {
    goesOn = false
  })
  const [flooded, unflooded]: [number[], number[]] = [[], []]
  while (goesOn || flooded.length < 300) {
    flooded.push(await visit(box))
    unflooded.push(await visit(calm))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return { tookMs: p99(flooded), maxMs: 300 + 5 * p99(unflooded) }
}

const filler = fields([['x-filler', 'y'.repeat(1000)]])
const head = requestFields('site.test', '/small')
const empty = Buffer.alloc(0)

const floods: [name: string, framesMax: number, batch: (n: number) => Buffer[]][] = [
  [
    'CONTINUATION with fields',
    5_000,
    (n) => [
      ...(n === 0 ? [frame(frameTypes.headers, flags.endStream, 1, head)] : []),
      ...Array.from({ length: 50 }, () => frame(frameTypes.continuation, 0, 1, filler)),
    ],
  ],
  [
    'empty CONTINUATION',
    1_300_000,
    (n) => [
      ...(n === 0 ? [frame(frameTypes.headers, flags.endStream, 1, head)] : []),
      ...Array.from({ length: 2000 }, () => frame(frameTypes.continuation, 0, 1, empty)),
    ],
  ],
  ['SETTINGS', 1_300_000, () => Array.from({ length: 2000 }, () => frame(frameTypes.settings, 0, 0, empty))],
  ['PING', 1_300_000, () => Array.from({ length: 2000 }, () => frame(frameTypes.ping, 0, 0, Buffer.alloc(8)))],
  [
    'empty DATA',
    1_300_000,
    (n) => [
      ...(n === 0
        ? [frame(frameTypes.headers, flags.endHeaders, 1, requestFields('site.test', '/slow', [], 'POST'))]
        : []),
      ...Array.from({ length: 2000 }, () => frame(frameTypes.data, 0, 1, empty)),
    ],
  ],
  [
    'PRIORITY',
    1_300_000,
    () =>
      Array.from({ length: 2000 }, (_, n) => frame(frameTypes.priority, 0, 2 * n + 1, Buffer.from([0, 0, 0, 0, 1]))),
  ],
  [
    'rapid reset',
    40_000,
    (n) =>
      Array.from({ length: 100 }, (_, i) => {
        const stream = n + i * 2 + 1
        return [
          frame(
            frameTypes.headers,
            flags.endHeaders | flags.endStream,
            stream,
            requestFields('site.test', '/slow', [], 'DELETE'),
          ),
          frame(frameTypes.reset, 0, stream, Buffer.from([0, 0, 0, 8])),
        ]
      }).flat(),
  ],
]

describe('floods', () => {
  test.each(floods)(
    'a flood of %s ends the connection, and the neighbouring site is not affected',
    async (_name, framesMax, batch) => {
      const client = await open()
      const ended = flood(client, batch, framesMax)
      const { tookMs, maxMs } = await neighbour(ended)
      const frames = await ended
      expect(frames).toBeLessThan(framesMax)
      expect(tookMs).toBeLessThan(maxMs)
      client.destroy()
    },
  )
})

/** How many requests with this path prefix reached the origin. Those of another test may still arrive meanwhile. */
const askedFor = (start: string): number => origin.asked.filter(({ url }) => url.startsWith(start)).length

test('requests cancelled while the cache waits for the origin still count as streams', async () => {
  const client = await open()
  const pairs = Array.from({ length: 2000 }, (_, n) => [
    frame(frameTypes.headers, flags.endHeaders | flags.endStream, 2 * n + 1, requestFields('site.test', `/slow/${n}`)),
    frame(frameTypes.reset, 0, 2 * n + 1, Buffer.from([0, 0, 0, 8])),
  ]).flat()
  client.send(...pairs, frame(frameTypes.ping, 0, 0, Buffer.alloc(8)))
  await until('an end of it', () => client.isGivenUp || client.frames.some(({ type }) => type === frameTypes.ping))
  expect(askedFor('/slow/')).toBeLessThanOrEqual(128)
  client.destroy()
})

test('streams above the concurrency limit are refused', async () => {
  const client = await open()
  const heads = Array.from({ length: 300 }, (_, n) =>
    frame(frameTypes.headers, flags.endHeaders | flags.endStream, 2 * n + 1, requestFields('site.test', `/slow?${n}`)),
  )
  client.send(...heads)
  const refused = () => client.frames.filter(({ type }) => type === frameTypes.reset).length
  await until('refusals', () => client.isGivenUp || refused() >= 300 - 128)
  expect(askedFor('/slow?')).toBeLessThanOrEqual(128)
  client.destroy()
})

test('a thousand responses that are never read use bounded memory, do not affect the neighbour, and end', async () => {
  for (let n = 0; n < 2; n++) await box.request('site.test', '/big', { tls: true })
  const memory = () =>
    box.workers().reduce((sum, pid) => {
      return sum + Number(/^Pss_Anon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) / 1000
    }, 0)
  const before = memory()
  // A window size of 0: every stream waits to send its first byte.
  const clients = await Promise.all(Array.from({ length: 10 }, () => open([[4, 0]])))
  for (const client of clients)
    client.send(
      ...Array.from({ length: 100 }, (_, n) =>
        frame(frameTypes.headers, flags.endHeaders | flags.endStream, 2 * n + 1, requestFields('site.test', '/big')),
      ),
      frame(frameTypes.ping, 0, 0, Buffer.alloc(8)),
    )
  const isTaken = () => clients.every(({ frames }) => frames.some(({ type }) => type === frameTypes.ping))
  const taken = until('all streams', isTaken, 60_000)
  const { tookMs, maxMs } = await neighbour(taken)
  expect(tookMs).toBeLessThan(maxMs)
  await taken
  expect(memory() - before).toBeLessThan(120)
  // Mostly the minimum rate ends them after some 28 s. If the send timeout (30 s) comes first, the connection stays
  // idle for 65 s.
  await until('the end of all', () => clients.every(({ closed }) => closed), 130_000)
})

test.each([
  [
    'an extended CONNECT',
    [
      [':method', 'CONNECT'],
      [':protocol', 'websocket'],
      [':scheme', 'https'],
    ],
  ],
  ['a CONNECT', [[':method', 'CONNECT']]],
] as [string, [string, string][]][])('%s opens no tunnel', async (_name, pseudo) => {
  const client = await open()
  const before = origin.asked.length
  const more: [string, string][] = [
    [':authority', 'site.test'],
    ...(pseudo.length > 1 ? [[':path', '/chat'] as [string, string]] : []),
  ]
  client.send(frame(frameTypes.headers, flags.endHeaders, 1, fields([...pseudo, ...more])))
  const isOver = () =>
    client.closed || client.frames.some(({ type, stream }) => stream === 1 && (type === 1 || type === 3))
  await until('a refusal', isOver)
  expect([undefined, 400, 405, 501]).toContain(client.statusOf(1))
  expect(origin.asked).toHaveLength(before)
  client.destroy()
})

test('an Upgrade header in HTTP/2 is dropped or refused', async () => {
  for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
    const client = await open()
    const before = origin.asked.length
    const more: [string, string][] = [
      ['upgrade', protocol],
      ['connection', 'upgrade'],
    ]
    client.send(
      frame(
        frameTypes.headers,
        flags.endHeaders | flags.endStream,
        1,
        requestFields('site.test', `/small?${protocol}`, more),
      ),
    )
    await until('an answer', () => client.closed || client.frames.some(({ type, stream }) => stream === 1 && type <= 3))
    expect([200, 400, undefined]).toContain(client.statusOf(1))
    expect(origin.asked[before]?.headers ?? {}).not.toHaveProperty('upgrade')
    client.destroy()
  }
})
