/** socket.io by polling and by WebSocket: its own client, and every polling answer compared with the server's own. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { header, type Version } from '../../edge/box/transparent/ask.ts'
import { type Application, inHttp3, inLong, isLong, Place } from './box.ts'
import { differencesOfRuns, type Own } from './compare.ts'
import type { Recorder } from './recorder.ts'
import { atOnce } from './settings.ts'

let place: Place
let origin: Application

/** A server that echoes what it receives, text and bytes, and broadcasts to a room. */
async function startServer(): Promise<Application> {
  const http = createServer()
  const server = new Server(http, {
    cors: { origin: '*', credentials: true },
    cookie: true,
    maxHttpBufferSize: 4_000_000,
  })
  server.on('connection', (socket) => {
    socket.on('echo', (value: unknown, answer: (value: unknown) => void) => answer(value))
    socket.on('many', (count: number) => {
      for (let i = 0; i < count; i++) socket.emit('number', i)
    })
    socket.join('all')
    socket.on('shout', (text: string) => server.to('all').emit('heard', text))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    port: (http.address() as { port: number }).port,
    end: async () => void (await server.close()),
  }
}

beforeAll(async () => {
  origin = await startServer()
  place = await Place.start()
})
afterAll(async () => {
  await place?.end()
  await origin?.end()
})

/** Session IDs and times differ each time. */
const own: Own = {
  text: (text) =>
    text
      .replace(/"sid":"[^"]+"/g, '"sid":"…"')
      .replace(/\bsid=[\w-]+/g, 'sid=…')
      .replace(/\bt=[\w-]+/, 't=…')
      .replace(/io=[\w-]+/, 'io=…'),
}

/** The polling protocol by hand, one request after another, so that two runs are the same. */
async function poll(way: Recorder): Promise<void> {
  const base = '/socket.io/?EIO=4&transport=polling'
  const headers = { origin: 'http://page.test', 'accept-encoding': 'gzip, deflate, br' }
  const opened = await way.ask({ path: base, headers })
  const { sid } = JSON.parse(opened.body.toString().slice(1)) as { sid: string }
  const path = `${base}&sid=${sid}`
  const say = (body: string) =>
    way.ask({ method: 'POST', path, body, headers: { ...headers, 'content-type': 'text/plain;charset=UTF-8' } })
  const hear = () => way.ask({ path, headers })
  await say('40')
  await hear()
  await say('420["echo","你好 \u{1F600}"]')
  await hear()
  await say(`421["echo","${'long '.repeat(isLong ? 40_000 : 4_000)}"]`)
  await hear()
  await say('42["many",50]')
  await hear()
  await way.ask({ method: 'OPTIONS', path, headers: { ...headers, 'access-control-request-method': 'POST' } })
  await say('41')
  await say('1')
  await way.ask({ path, headers })
  await way.ask({ path: `${base}&sid=unknown`, headers })
  await way.ask({ path: '/socket.io/?EIO=4&transport=telegraph', headers })
  await way.ask({ path: '/socket.io/?EIO=2&transport=polling', headers })
}

test.each(atOnce)(
  'every polling answer arrives unchanged, over HTTP/$version, with $name',
  async ({ facts, version }) => {
    const { direct, edge } = await place.site('polling.test', version, origin.port, facts)
    await poll(direct)
    await poll(edge)
    expect(differencesOfRuns(direct.exchanges, edge.exchanges, own)).toEqual([])
    expect(edge.exchanges.map(({ answer }) => header(answer, 'x-cache')).filter((cache) => cache === 'HIT')).toEqual([])
  },
)

/** What the socket.io client receives over these transports. */
async function talk(way: Recorder, transports: string[]): Promise<unknown[]> {
  const client = io(way.url, {
    transports,
    forceNew: true,
    reconnection: false,
    ...(transports.length === 1 && { upgrade: false }),
  })
  const heard: unknown[] = []
  client.on('connect_error', (error) => heard.push(`${error}`))
  try {
    await connected(client)
    client.on('number', (i: number) => heard.push(i))
    if (transports.length > 1) await upgraded(client)
    heard.push(client.io.engine.transport.name)
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
    for (const value of ['text', '你好', { nested: [1, null, true] }, bytes, 'x'.repeat(isLong ? 2_000_000 : 200_000)])
      heard.push(await client.timeout(60_000).emitWithAck('echo', value))
    const all = new Promise<void>((resolve) => client.on('number', (i: number) => i === 99 && resolve()))
    client.emit('many', 100)
    await all
    const shouted = new Promise((resolve) => client.once('heard', resolve))
    client.emit('shout', 'hello')
    heard.push(await shouted)
  } finally {
    client.disconnect()
  }
  return heard
}

const connected = (client: Socket) =>
  new Promise<void>((resolve, reject) => client.once('connect', resolve).once('connect_error', reject))

async function upgraded(client: Socket): Promise<void> {
  if (client.io.engine.transport.name !== 'websocket')
    await new Promise((resolve) => client.io.engine.once('upgrade', resolve))
}

const cases: [string[], Version][] = [
  [['polling', 'websocket'], '1.1'],
  [['websocket'], '1.1'],
  ...inHttp3<[string[], Version]>([['polling'], '3']),
  ...inLong<[string[], Version]>([['polling'], '1.1'], [['polling'], '2'], [['polling', 'websocket'], '2']),
]

test.each(cases)(
  'the client receives by %j over HTTP/%s what it receives from the server directly',
  async (transports, version) => {
    const { direct, edge } = await place.site('talk.test', version, origin.port)
    const [straight, through] = [await talk(direct, transports), await talk(edge, transports)]
    expect(through).toEqual(straight)
    expect(edge.handshakes).toEqual(direct.handshakes)
    expect(through).toHaveLength(1 + 5 + 100 + 1)
  },
)

test('a WebSocket passes through TLS, and closes at the client when the server closes it', async () => {
  const { direct } = await place.site('secure.test', '1.1', origin.port)
  const client = io(`https://127.0.0.1:${place.box.settings.httpsPort}`, {
    ...{ transports: ['websocket'], forceNew: true, reconnection: false, rejectUnauthorized: false },
    extraHeaders: { host: direct.facts.host },
    servername: 'secure.test',
  } as Parameters<typeof io>[1])
  await connected(client)
  expect(await client.timeout(60_000).emitWithAck('echo', 'over TLS')).toBe('over TLS')
  const ended = new Promise((resolve) => client.once('disconnect', resolve))
  const other = await startServer()
  const { edge } = await place.site('ending.test', '1.1', other.port)
  const leaving = io(edge.url, { transports: ['websocket'], forceNew: true, reconnection: false })
  await connected(leaving)
  const left = once(leaving as never, 'disconnect')
  await other.end()
  expect(await left).toBeDefined()
  client.disconnect()
  await ended
})
