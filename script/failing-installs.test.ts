import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchPace } from '../tests/harness/pace.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'bw-installs-'))
let untrusted: string
let proxy: string
let closed: string
const servers: Server[] = []

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', ['req', '-x509', ...subject, '-days', '2', '-nodes', '-newkey', 'rsa:2048', ...files], {
    stdio: 'ignore',
  })
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name)))
  untrusted = `https://127.0.0.1:${await listen(createServer({ key, cert }))}`
  const asks = createHttpServer((_request, response) => response.writeHead(407).end())
  asks.on('connect', (_request, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'))
  proxy = `http://name:hidden-password@127.0.0.1:${await listen(asks)}`
  const gone = createHttpServer()
  closed = `http://127.0.0.1:${await listen(gone)}`
  await new Promise((done) => gone.close(done))
})

afterAll(() => {
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A clone with what bootstrap needs, on a machine whose Node is too old. */
function makeClone(): string {
  const clone = mkdtempSync(join(folder, 'clone-'))
  for (const name of ['script/bootstrap', 'script/node', 'deploy', 'package.json', 'package-lock.json'])
    cpSync(join(root, name), join(clone, name), { recursive: true })
  for (const name of ['runtime.sh', 'step.sh', 'debian-packages.sh'])
    cpSync(join(root, 'script', name), join(clone, 'script', name))
  mkdirSync(join(clone, 'bin'))
  const old = join(clone, 'bin/node')
  writeFileSync(old, `#!/bin/sh\n[ "$*" = --version ] && echo v20.11.0 && exit\nexec '${process.execPath}' "$@"\n`)
  chmodSync(old, 0o755)
  return clone
}

/** Runs bootstrap with npm pointed at another registry; returns its exit code, its output and how long it took. */
function bootstrap(env: Record<string, string>): Promise<{ code: number | null; said: string; tookMs: number }> {
  const clone = makeClone()
  const startedMs = performance.now()
  const child = spawn(join(clone, 'script/bootstrap'), {
    env: {
      ...process.env,
      PATH: `${clone}/bin:${process.env.PATH}`,
      npm_config_cache: join(clone, 'cache'),
      NO_PROXY: '',
      no_proxy: '',
      ...env,
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk
    })
  return new Promise((done) =>
    child.once('close', (code) => done({ code, said, tookMs: performance.now() - startedMs })),
  )
}

const npmCases: [string, () => Record<string, string>, RegExp][] = [
  [
    'a missing CA',
    () => ({ npm_config_registry: untrusted }),
    /certificate of the other side is not trusted.*NODE_EXTRA_CA_CERTS/s,
  ],
  [
    'a name that does not resolve',
    () => ({ npm_config_registry: 'https://registry.invalid' }),
    /Cause: DNS.*registry\.invalid/,
  ],
  ['a closed port', () => ({ npm_config_registry: closed }), /Cause: no connection.*127\.0\.0\.1:\d+.*ECONNREFUSED/],
  [
    'a proxy that wants a password',
    () => ({ npm_config_registry: 'https://registry.invalid', npm_config_https_proxy: proxy, https_proxy: proxy }),
    /the proxy http:\/\/…@127\.0\.0\.1:\d+ wants a name and password/,
  ],
]
for (const [cause, env, expected] of npmCases) {
  test(`bootstrap names ${cause}, within half a minute`, async () => {
    const pace = watchPace()
    const { code, said, tookMs } = await bootstrap(env())
    expect(code).not.toBe(0)
    expect(said).toMatch(expected)
    expect(said).not.toContain('does not run')
    expect(said).not.toContain('hidden-password')
    expect(tookMs).toBeLessThan(pace.within(30_000))
    pace.stop()
  })
}

/** The output of the real apt for such a mirror, and the cause that is found in it. */
async function aptCause(mirror: string): Promise<string> {
  const home = mkdtempSync(join(folder, 'apt-'))
  mkdirSync(join(home, 'lists/partial'), { recursive: true })
  mkdirSync(join(home, 'archives/partial'), { recursive: true })
  writeFileSync(join(home, 'sources.list'), `deb [trusted=yes] ${mirror} bookworm main\n`)
  const conf = [
    `Dir::Etc::SourceList "${home}/sources.list"; Dir::Etc::SourceParts "/dev/null";`,
    `Dir::State::Lists "${home}/lists"; Dir::Cache "${home}"; APT::Sandbox::User "root";`,
    'Acquire::Retries "0"; APT::Update::Error-Mode "any";',
  ]
  writeFileSync(join(home, 'apt.conf'), conf.join('\n'))
  // Not synchronous: the mirror is a server in this very process.
  const env = { PATH: process.env.PATH, APT_CONFIG: join(home, 'apt.conf') }
  const said = await new Promise<string>((done) =>
    execFile('apt-get', ['update'], { env }, (_error, stdout, stderr) => done(stdout + stderr)),
  )
  writeFileSync(join(home, 'log'), said)
  const script = `. ${root}/deploy/node/failure-cause.sh; failure_cause ${home}/log`
  return `${spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout}\n${said}`
}

test('apt’s failures are named too: a missing CA, DNS, a closed port', async () => {
  expect(await aptCause(untrusted)).toMatch(/certificate of the other side is not trusted/)
  expect(await aptCause('http://mirror.invalid')).toMatch(/Cause: DNS/)
  expect(await aptCause(closed)).toMatch(/Cause: no connection/)
})
