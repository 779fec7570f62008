/** gRPC through the edge with a real client and real servers: all kinds of calls, trailers, refusals, failures, TLS. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CacheExplanation } from '@breakwater/contract/edge/cache-simulation.ts'
import type { Explanation } from '@breakwater/contract/edge/explain.ts'
import type { SettingsPart } from '@breakwater/contract/edge/site-parts.ts'
import {
  ChannelCredentials,
  type Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  type ClientWritableStream,
  Metadata,
  makeGenericClientConstructor,
  Server,
  ServerCredentials,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../tests/harness/ports.ts'
import { aclRule } from './acl-rule.ts'
import { Box } from './harness.ts'
import { authorityWith } from './origin-authority.ts'

const whole = { requestSerialize: (value: string) => Buffer.from(value), requestDeserialize: String }
const method = (name: string, requestStream: boolean, responseStream: boolean) => ({
  ...{ path: `/test.Echo/${name}`, requestStream, responseStream, ...whole },
  ...{ responseSerialize: whole.requestSerialize, responseDeserialize: String },
})
const service = {
  one: method('one', false, false),
  gather: method('gather', true, false),
  count: method('count', false, true),
  talk: method('talk', true, true),
}

type Answering = (error: object | null, text?: string, trailers?: Metadata) => void

/** The calls that servers received. */
let asked: { host: string; address: string; custom: string }[] = []

function startServer(credentials: ServerCredentials): Promise<[Server, number]> {
  const server = new Server()
  server.addService(service, {
    one(call: { request: string; metadata: Metadata; getPath(): string; getHost(): string }, answer: Answering) {
      const of = (name: string) => String(call.metadata.get(name)[0] ?? '')
      asked.push({ host: call.getHost().replace(/:.*/, ''), address: of('x-forwarded-for'), custom: of('x-custom') })
      const trailers = new Metadata()
      trailers.set('x-trailer', 'behind')
      if (call.request === 'missing')
        return answer({ code: status.NOT_FOUND, details: 'no such thing', metadata: trailers })
      answer(null, `one ${call.request}`, trailers)
    },
    gather(call: AsyncIterable<string>, answer: Answering) {
      const all: string[] = []
      void (async () => {
        for await (const one of call) all.push(one)
        answer(null, all.join('+'))
      })()
    },
    count(call: { request: string; write(text: string): void; end(): void }) {
      for (let n = 0; n < Number(call.request); n++) call.write(`${n}`)
      call.end()
    },
    talk(call: ClientDuplexStream<string, string>) {
      call.on('data', (text: string) => call.write(`heard ${text}`))
      call.on('end', () => call.end())
    },
  } as never)
  return new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', credentials, (error, port) => (error ? reject(error) : resolve([server, port]))),
  )
}

const ours = authorityWith('origin.test')
const { cert, key } = ours.issued['origin.test']!
const folder = mkdtempSync(join(tmpdir(), 'bw-grpc-'))

let box: Box
let artefact: string
let withoutCalls: string
let servers: Server[]
const clients: Client[] = []

type Tls = NonNullable<SettingsPart['originTls']>
const overTls: [host: string, originTls: Tls][] = [
  ['tls-off.test', { verify: 'off' }],
  ['tls-system.test', { verify: 'system', serverName: 'origin.test' }],
  ['tls-misnamed.test', { verify: 'system' }],
  ['tls-ca.test', { verify: 'ca', ca: ours.ca, serverName: 'origin.test' }],
]

beforeAll(async () => {
  const [plain, port] = await startServer(ServerCredentials.createInsecure())
  const pair = [{ cert_chain: Buffer.from(cert), private_key: Buffer.from(key) }]
  const [secure, tlsPort] = await startServer(ServerCredentials.createSsl(null, pair))
  servers = [plain, secure]
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, ours.ca)
  const closed = await freePort()
  box = await Box.start({ workers: 1, caFile }, (disk) => {
    const settings = { grpc: true, bodyBytesMax: 10 }
    const rule = { mode: 'enforce' as const }
    const methods: string[] = []
    const firewall = {
      denyRules: [{ ...rule, id: 1, urlRegex: '^/test.Echo/gather', ips: ['127.0.0.0/8'], methods }],
      rateRules: [{ ...rule, id: 2, urlRegex: '^/test.Echo/count', rate: 0.001, burst: 0, blockType: 1 }],
      bodyRules: [{ ...rule, id: 3, urlRegex: '^/test.Echo/talk', contains: 'x', oversize: 'block' as const, methods }],
    }
    const rewrites = [{ id: 1, urlRegex: '^/test', target: '/other' }]
    const entry = disk.site({ hosts: ['site.test'], origins: [{ port }], settings, rewrites })
    artefact = entry.artefact!
    const shop = disk.site({ site: 3, hosts: ['off.test'], origins: [{ port }] })
    withoutCalls = shop.artefact!
    disk.feed(
      entry,
      disk.site({ site: 2, hosts: ['guarded.test'], origins: [{ port }], settings, firewall: firewall as never }),
      shop,
      disk.site({
        ...{ site: 5, hosts: ['marked.test'], origins: [{ port }], settings },
        luaAcls: [
          aclRule(1, 'when method = POST then header request "X-Custom" "ours"'),
          aclRule(2, 'when method = POST then header response "X-Told" "yes"'),
        ],
      }),
      disk.site({ site: 4, hosts: ['down.test'], origins: [{ port: closed }], settings }),
      ...overTls.map(([host, originTls], n) =>
        disk.site({
          site: 10 + n,
          hosts: [host],
          origins: [{ port: tlsPort, tls: true }],
          settings: { grpc: true, originTls },
        }),
      ),
    )
  })
})
afterAll(async () => {
  for (const client of clients) client.close()
  for (const server of servers ?? []) server.forceShutdown()
  await box?.end()
  rmSync(folder, { recursive: true })
})

type Echo = {
  one(
    text: string,
    metadata: Metadata,
    done: (error: ServiceError | null, text?: string) => void,
  ): {
    on(event: 'status', listener: (status: { metadata: Metadata }) => void): void
    on(event: 'metadata', listener: (head: Metadata) => void): void
  }
  gather(done: (error: ServiceError | null, text?: string) => void): ClientWritableStream<string>
  count(text: string): ClientReadableStream<string>
  talk(): ClientDuplexStream<string, string>
}

const Echo = makeGenericClientConstructor(service as never, 'test.Echo')
function clientOf(host: string): Echo {
  const credentials = ChannelCredentials.createSsl(null, null, null, { rejectUnauthorized: false })
  const names = { 'grpc.ssl_target_name_override': host, 'grpc.default_authority': host }
  const client = new Echo(`127.0.0.1:${box.settings.httpsPort}`, credentials, names)
  clients.push(client)
  return client as unknown as Echo
}

type Answer = { text?: string | undefined; error: ServiceError | null; head: Metadata; trailers: Metadata }
function one(host: string, text: string, metadata = new Metadata()): Promise<Answer> {
  return new Promise((resolve) => {
    const answer: Partial<Answer> = { head: new Metadata() }
    const end = () => answer.error !== undefined && answer.trailers && resolve(answer as Answer)
    const call = clientOf(host).one(text, metadata, (error, said) => {
      Object.assign(answer, { error, text: said })
      end()
    })
    call.on('metadata', (head) => {
      answer.head = head
    })
    call.on('status', (told) => {
      answer.trailers = told.metadata
      end()
    })
  })
}

test('a call with its metadata and trailers', async () => {
  const metadata = new Metadata()
  metadata.set('x-custom', 'given')
  asked = []
  const { text, error, trailers } = await one('site.test', 'hello, more than ten bytes', metadata)
  expect([error, text]).toEqual([null, 'one hello, more than ten bytes'])
  expect(trailers.get('x-trailer')).toEqual(['behind'])
  expect(asked).toEqual([{ host: 'site.test', address: '127.0.0.1', custom: 'given' }])
})

test('rules set headers of a call and of its response', async () => {
  const metadata = new Metadata()
  metadata.set('x-custom', 'given')
  asked = []
  const { text, head } = await one('marked.test', 'hello', metadata)
  expect([text, head.get('x-told')]).toEqual(['one hello', ['yes']])
  expect(asked).toEqual([{ host: 'marked.test', address: '127.0.0.1', custom: 'ours' }])
})

test('a status from the origin keeps its message and trailers', async () => {
  const { error, trailers } = await one('site.test', 'missing')
  expect([error?.code, error?.details]).toEqual([status.NOT_FOUND, 'no such thing'])
  expect(trailers.get('x-trailer')).toEqual(['behind'])
})

test('client streams, server streams, and bidirectional streams in turns', async () => {
  const client = clientOf('site.test')
  const gathered = await new Promise((resolve, reject) => {
    const call = client.gather((error, text) => (error ? reject(error) : resolve(text)))
    for (const text of ['a', 'b', 'c']) call.write(text)
    call.end()
  })
  expect(gathered).toBe('a+b+c')
  const counted: string[] = []
  for await (const text of client.count('1000') as AsyncIterable<string>) counted.push(text)
  expect([counted.length, counted.at(-1)]).toEqual([1000, '999'])
  const talk = client.talk()
  const heard: string[] = []
  // Each message waits for the reply to the previous one: nothing on the way may buffer.
  talk.on('data', (text: string) => {
    heard.push(text)
    if (heard.length === 5) talk.end()
    else talk.write(`${heard.length}`)
  })
  talk.write('0')
  await new Promise((resolve, reject) => talk.on('end', resolve).on('error', reject))
  expect(heard).toEqual([0, 1, 2, 3, 4].map((n) => `heard ${n}`))
})

/** The error with which a streaming call ended. */
const endOf = (call: { on(event: string, listener: (value: ServiceError) => void): unknown }) =>
  new Promise<ServiceError>((resolve) => {
    call.on('error', resolve)
    call.on('data', () => undefined)
  })

test('guards refuse calls with gRPC statuses that contain the reference', async () => {
  const client = clientOf('guarded.test')
  const denied = await new Promise<ServiceError | null>((resolve) => client.gather(resolve).end())
  expect(denied?.code).toBe(status.PERMISSION_DENIED)
  expect(denied?.details).toMatch(/\([\w-]{10,}\)$/)
  for await (const _ of client.count('1') as AsyncIterable<string>);
  // A rule that requires a challenge, which no program can solve.
  expect((await endOf(client.count('1'))).code).toBe(status.UNAVAILABLE)
  // Messages are not inspected: a rule that refuses unreadable bodies refuses the call.
  expect((await endOf(client.talk())).code).toBe(status.PERMISSION_DENIED)
  expect((await one('guarded.test', 'x')).text).toBe('one x')
})

test('without the setting a call is an ordinary request; an origin that does not answer is UNAVAILABLE', async () => {
  expect((await one('off.test', 'hello')).error).not.toBeNull()
  const { error } = await one('down.test', 'hello')
  expect(error?.code).toBe(status.UNAVAILABLE)
})

test('a TLS origin is verified as the site specifies, and gets no calls if that fails', async () => {
  for (const host of ['tls-off.test', 'tls-system.test']) expect((await one(host, host)).text).toBe(`one ${host}`)
  asked = []
  for (const host of ['tls-misnamed.test', 'tls-ca.test'])
    expect((await one(host, host)).error?.code, host).toBe(status.UNAVAILABLE)
  expect(asked).toEqual([])
})

test('Explain and the cache report that a call uses its own route, and that rewrites do not apply to it', async () => {
  const asked = {
    ...{ site: 1, host: 'site.test', scheme: 'https', address: '192.0.2.1', method: 'POST', path: '/test.Echo/one' },
    ...{ query: '', headers: {}, time: Date.now() / 1000, country: '', isLogged: true },
  }
  const explain = (more: object, of = artefact) =>
    box.control<Explanation>('POST', '/explain', { artefact: of, request: { ...asked, ...more } })
  const call = await explain({ isCall: true })
  expect([call.verdict, call.route, call.originTarget]).toEqual(['pass', 'grpc', undefined])
  const request = await explain({})
  expect([request.verdict, request.route, request.originTarget]).toEqual(['pass', undefined, '/other'])
  expect((await explain({ isCall: true }, withoutCalls)).route).toBeUndefined()
  const answer = { status: 200, headers: {} }
  const around = async (type: string, of = artefact) => {
    const told = { artefact: of, request: { ...asked, headers: { 'Content-Type': type } }, answer }
    return (await box.control<CacheExplanation>('POST', '/cache', told)).around
  }
  expect(await around('application/grpc+proto')).toBe('call')
  expect(await around('application/grpc-web')).toBe('method')
  expect(await around('application/grpc', withoutCalls)).toBe('method')
})
