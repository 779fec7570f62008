/** Console and API behind a proxy: whose claims about the client are trusted. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { freePort } from '../../../tests/harness/ports.ts'
import { Budget } from '../http/budget.ts'
import { readEnv } from '../process/env.ts'
import { makeTestServer, type TestServer, testPassword } from '../testing/server.ts'

const servers: TestServer[] = []
const cleanUps: (() => unknown)[] = []
afterEach(() => vi.unstubAllEnvs())
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
  for (const server of servers) await server.stop()
})

async function serverBehind(trustedProxies: string[]): Promise<TestServer> {
  const server = await makeTestServer({ trustedProxies }, new Budget())
  servers.push(server)
  return server
}

const signInAs = (server: TestServer, remoteAddress: string, forwarded: string, account = 'nobody') =>
  server.app.inject({
    method: 'POST',
    url: '/api/v1/user/code',
    remoteAddress,
    headers: { 'x-forwarded-for': forwarded },
    payload: { account, password: account === 'customer' ? testPassword : 'x1234567' },
  })
const metrics = (server: TestServer, remoteAddress: string, headers: Record<string, string> = {}) =>
  server.app.inject({ url: '/metrics', remoteAddress, headers })
const countsOf = async (server: TestServer) => {
  const { rows } = await server.services.database.pool.query(
    "select key from sign_in_failures where key like '%/address/%' order by key",
  )
  return rows.map(({ key }) => key)
}

test('without trusted proxies a forwarded address affects neither locks nor budgets nor /metrics', async () => {
  const server = await serverBehind([])
  for (const forwarded of ['203.0.113.7', '127.0.0.1']) await signInAs(server, '198.51.100.1', forwarded)
  expect(await countsOf(server)).toEqual(['user/address/198.51.100.1'])
  expect((await metrics(server, '198.51.100.1', { 'x-forwarded-for': '127.0.0.1' })).statusCode).toBe(403)
  // A budget refills with time, and a slow machine would not use it up.
  vi.useFakeTimers({ toFake: ['Date'] })
  const asks = Array.from({ length: 200 }, (_, n) =>
    server.app.inject({
      url: '/api/v1/health',
      remoteAddress: '198.51.100.2',
      headers: { 'x-forwarded-for': `203.0.113.${n}` },
    }),
  )
  const replies = await Promise.all(asks).finally(() => vi.useRealTimers())
  expect(replies.map(({ statusCode }) => statusCode)).toContain(429)
})

test('a request forwarded by a proxy on this machine never counts as this machine’s own', async () => {
  const server = await serverBehind([])
  expect((await metrics(server, '127.0.0.1')).statusCode).toBe(200)
  expect((await metrics(server, '127.0.0.1', { 'x-forwarded-for': '203.0.113.7' })).statusCode).toBe(403)
  const behind = await serverBehind(['127.0.0.1'])
  expect((await metrics(behind, '127.0.0.1', { 'x-forwarded-for': '203.0.113.7' })).statusCode).toBe(403)
  expect((await metrics(behind, '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).statusCode).toBe(403)
})

test('only a trusted proxy is believed, and only its own entry, not what the visitor wrote before it', async () => {
  const server = await serverBehind(['192.0.2.0/28'])
  await signInAs(server, '192.0.2.3', '127.0.0.1, 203.0.113.7')
  await signInAs(server, '192.0.2.99', '203.0.113.8')
  await signInAs(server, '::ffff:192.0.2.4', '203.0.113.9, 192.0.2.5')
  expect(await countsOf(server)).toEqual([
    'user/address/192.0.2.99',
    'user/address/203.0.113.7',
    'user/address/203.0.113.9',
  ])
})

test('an invalid network, or one of all addresses, is rejected at startup', () => {
  for (const wrong of ['nonsense', '10.0.0.0/33', '0.0.0.0/0', '::/0', 'loopback']) {
    vi.stubEnv('BREAKWATER_TRUSTED_PROXIES', wrong)
    vi.stubEnv('DATABASE_URL', 'x')
    vi.stubEnv('CLICKHOUSE_URL', 'x')
    vi.stubEnv('BREAKWATER_DATA', tmpdir())
    expect(() => readEnv(), wrong).toThrow('BREAKWATER_TRUSTED_PROXIES')
  }
})

test('the console serves an https address itself, unless a proxy in front is configured', () => {
  const read = (variables: Record<string, string>) => {
    const rest = { DATABASE_URL: 'x', CLICKHOUSE_URL: 'x', BREAKWATER_DATA: tmpdir(), BREAKWATER_LISTEN: '' }
    for (const [name, value] of Object.entries({ ...rest, ...variables })) vi.stubEnv(name, value)
    return readEnv().consoleTls
  }
  const own = { httpPort: 80, httpsPort: 443, listenAddress: '::', files: undefined }
  expect(read({ BREAKWATER_PUBLIC_URL: 'http://cdn.example.com' })).toBeUndefined()
  expect(read({ BREAKWATER_PUBLIC_URL: 'https://cdn.example.com' })).toEqual({ host: 'cdn.example.com', ...own })
  expect(read({ BREAKWATER_PUBLIC_URL: 'https://[2001:db8::1]:8443' })).toEqual({
    ...{ ...own, host: '2001:db8::1' },
    httpsPort: 8443,
  })
  expect(() => read({ BREAKWATER_TLS_KEY: 'key.pem' })).toThrow('BREAKWATER_TLS_CERTIFICATE')
  expect(read({ BREAKWATER_TRUSTED_PROXIES: '127.0.0.1' })).toBeUndefined()
})

/** A folder with a certificate of cdn.example.com, and the program that runs in it until the end of the tests. */
function proxyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'bw-proxy-'))
  const subject = ['-subj', '/CN=cdn.example.com', '-days', '2', '-nodes', '-newkey', 'rsa:2048']
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const run = (program: string, args: string[], env: Record<string, string> = {}) => {
    const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } })
    const ended = new Promise((done) => child.once('exit', done))
    cleanUps.push(async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    })
  }
  return { folder, key, certificate, run }
}

/** The text of a recipe in docs/operating.md, from its first line to the end of the block. */
function documented(start: RegExp): string {
  const text = readFileSync(resolve(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
  return new RegExp(`\`\`\`\\w*\\n(${start.source}[\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? ''
}

/** The documented recipes, each with the real proxy; file names and ports are this test's. */
const recipes = {
  async nginx(apiPort: number): Promise<number> {
    const { folder, key, certificate, run } = proxyFolder()
    mkdirSync(join(folder, 'tmp'))
    const port = await freePort()
    const own = documented(/server \{/)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('/etc/ssl/cdn.example.com.crt', certificate)
      .replace('/etc/ssl/cdn.example.com.key', key)
      .replace('127.0.0.1:8080', `127.0.0.1:${apiPort}`)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const paths = temporary.map((name) => `${name}_temp_path ${folder}/tmp/${name};`).join('\n')
    const conf = `daemon off; pid ${folder}/nginx.pid; events {} http { access_log off; ${paths}\n${own} }`
    writeFileSync(join(folder, 'nginx.conf'), conf)
    run('nginx', ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'])
    return port
  },

  async caddy(apiPort: number): Promise<number> {
    const { folder, key, certificate, run } = proxyFolder()
    const port = await freePort()
    // Its certificate comes from a file, as there is no authority to contact; nothing listens on port 80.
    const own = documented(/cdn\.example\.com \{/)
      .replace('cdn.example.com {', `https://cdn.example.com:${port} {\n bind 127.0.0.1\n tls ${certificate} ${key}`)
      .replace('127.0.0.1:8080', `127.0.0.1:${apiPort}`)
    const file = join(folder, 'Caddyfile')
    writeFileSync(file, `{\n admin off\n auto_https disable_redirects\n}\n${own}`)
    run('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { HOME: folder, XDG_DATA_HOME: folder })
    return port
  },
}

/** A visitor's request from 127.0.0.9 through the proxy. */
function visit(port: number, path: string, headers: Record<string, string>, body?: object) {
  return new Promise<{ status: number; text: string }>((done, failed) => {
    const target = { host: '127.0.0.1', port, path, localAddress: '127.0.0.9', rejectUnauthorized: false }
    const outgoing = request({ ...target, method: body ? 'POST' : 'GET', headers }, (message) => {
      const chunks: Buffer[] = []
      message.on('data', (chunk: Buffer) => chunks.push(chunk))
      message.on('end', () => done({ status: message.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    })
    outgoing.on('error', failed)
    outgoing.end(body && JSON.stringify(body))
  })
}

test.each(['nginx', 'caddy'] as const)(
  'the documented recipe for %s passes on the visitor’s real address, whatever the visitor claims',
  async (proxy) => {
    const server = await serverBehind(['127.0.0.1'])
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    const port = await recipes[proxy]((server.app.server.address() as AddressInfo).port)
    const json = { host: 'cdn.example.com', 'content-type': 'application/json' }
    const wrong = { account: 'nobody', password: 'x1234567' }
    await vi.waitUntil(
      () =>
        visit(port, '/health', json).then(
          () => true,
          () => false,
        ),
      { timeout: 60_000 },
    )
    await visit(port, '/api/v1/user/code', { ...json, 'x-forwarded-for': '203.0.113.1' }, wrong)
    expect(await countsOf(server)).toEqual(['user/address/127.0.0.9'])
    expect((await visit(port, '/metrics', { ...json, 'x-forwarded-for': '127.0.0.1' })).status).toBe(403)
  },
)
