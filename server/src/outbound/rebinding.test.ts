/**
 * DNS rebinding: names that change between the check and the connection. The machine's resolver is a DNS server of this
 * test: it answers 127.0.0.2 first, which stands for a public address here (the only one that the guard allows), and
 * 127.0.0.1 from then on. A caller that resolved twice would reach 127.0.0.1.
 */
import dns from 'node:dns'
import { readdirSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, createServer, isIP, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { discover } from '../auth/sso-provider.ts'
import { askVendor } from '../licenses/ask-vendor.ts'
import { sendMail } from '../messages/smtp.ts'
import { botName } from '../messages/telegram.ts'
import { sendWebhook } from '../messages/webhook.ts'
import { type DnsServerUnderTest, startDnsServer } from '../testing/dns-server.ts'
import { guardedFetch } from './fetch.ts'
import { makeOutboundGuard } from './guard.ts'
import { probeOrigin } from './probe.ts'

const publicAddress = '127.0.0.2'
const guard = makeOutboundGuard([`${publicAddress}/32`])
let names: DnsServerUnderTest
let port: number
const servers: Server[] = []
let reached: string[] = []
const systems = { lookup: dns.lookup, promises: dns.promises.lookup }

/** Records which address is connected to, and closes the connection. */
async function listen(address: string, on: number): Promise<number> {
  const server = createServer((socket) => {
    reached.push(address)
    socket.on('error', () => {})
    socket.destroy()
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(on, address, done))
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  names = await startDnsServer()
  const resolver = new dns.promises.Resolver()
  resolver.setServers([names.at])
  const ask = async (name: string) =>
    (isIP(name) ? [name] : await resolver.resolve4(name)).map((address) => ({ address, family: 4 }))
  // Replaces the machine's resolver for lookups by promise, by callback, and by connecting to a name.
  dns.promises.lookup = ((name: string) => ask(name)) as unknown as typeof dns.promises.lookup
  dns.lookup = ((name: string, options: { all?: boolean }, done: (...answer: unknown[]) => void) =>
    ask(name).then(
      (found) => (options.all ? done(null, found) : done(null, found[0]!.address, 4)),
      (error) => done(error),
    )) as unknown as typeof dns.lookup
  syncBuiltinESMExports()
  port = await listen(publicAddress, 0)
  await listen('127.0.0.1', port)
})
afterAll(async () => {
  Object.assign(dns, { lookup: systems.lookup })
  dns.promises.lookup = systems.promises
  syncBuiltinESMExports()
  for (const server of servers) server.close()
  await names.stop()
})
let count = 0
let host: string
beforeEach(() => {
  reached = []
  // Provider metadata is cached by name.
  host = `rebind-${++count}.example`
})

const mail = (encryption: 'none' | 'starttls' | 'tls') =>
  sendMail(
    guard,
    { host, port, account: 'mailer', password: 'right', sender: 'a@example.com', encryption },
    'b@example.com',
    { subject: 'x', text: 'x', html: 'x' } as never,
  )
const payload = { id: 1, event: 'test', text: '', values: {}, at: '' }

const requests: Record<string, () => Promise<unknown>> = {
  'the probe of an origin': () => probeOrigin(guard, { ip: host, port, tls: false, hostHeader: '' }),
  'the probe of an origin over TLS': () => probeOrigin(guard, { ip: host, port, tls: true, hostHeader: '' }),
  'a webhook': () => sendWebhook(guard, `http://${host}:${port}/hook`, 'secret', payload),
  'a webhook over TLS': () => sendWebhook(guard, `https://${host}:${port}/hook`, 'secret', payload),
  'the discovery of single sign-on': () =>
    discover(guard, { issuer: `http://${host}:${port}`, clientId: 'x', secret: 'x' }),
  'a mail': () => mail('none'),
  'a mail over TLS': () => mail('tls'),
  Telegram: () => botName(guard, `http://${host}:${port}`, 'token'),
  'the check of a licence': () => askVendor(guard, `http://${host}:${port}`, 'key'),
  'any guarded request': () => guardedFetch(guard, `http://${host}:${port}/`),
}

test.each(Object.keys(requests))('%s goes to the address that was checked, and to no later one', async (name) => {
  names.setInTurn(host, 'A', [publicAddress, '127.0.0.1'])
  await requests[name]!().catch(() => {})
  expect(new Set(reached)).toEqual(new Set([publicAddress]))
})

test.each(Object.keys(requests))('%s goes nowhere if its name resolves to an internal address', async (name) => {
  names.set(host, 'A', '127.0.0.1')
  await requests[name]!().catch(() => {})
  expect(reached).toEqual([])
})

/** Files that open connections without the guard, and to what. */
const unguarded: Record<string, string> = {
  'certificates/acme/preflight.ts':
    'resolves by itself, and asks the very address that the guard, or the list of nodes, has passed',
  'demo/traffic.ts': 'the demo asks the edge of this machine',
  'engines/chdb-http.ts': 'serves the embedded event store',
  'engines/chdbd.ts': 'serves the embedded event store',
  'firewall/lab-run.ts': 'the lab edge, a unix socket',
  'process/lab.ts': 'the lab edge, a unix socket',
}

test('the server opens connections only through the guard', () => {
  const folder = join(import.meta.dirname, '..')
  const opens =
    /\b(?:httpRequest|httpsRequest|createConnection|createTransport|WebSocket)\b|(?<![.\w])(?:fetch|request|connect)\(|from 'undici'/
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/test|testing/.test(path) && !path.startsWith('outbound/'))
    .filter((path) => {
      const text = readFileSync(join(folder, path), 'utf8')
      return /node:(http|https|net|tls|http2)'|\bfetch\(|nodemailer|undici/.test(text) && opens.test(text)
    })
    .filter((path) => !readFileSync(join(folder, path), 'utf8').includes('guard.resolve('))
  expect(found.filter((path) => !(path in unguarded))).toEqual([])
})
