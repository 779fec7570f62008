/**
 * A package registry and npm's own client: publish, install, tag, unpublish, and every answer as the registry gave it.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../harness/ports.ts'
import { type Application, inLong, isLong, Place } from './box.ts'
import { startChild } from './child.ts'
import { differencesOfRuns, type Own } from './compare.ts'
import { probe } from './probes.ts'
import type { Recorder } from './recorder.ts'
import { atOnce } from './settings.ts'

const require = createRequire(import.meta.url)
const program = join(dirname(require.resolve('verdaccio/package.json')), 'bin/verdaccio')
/** A known version: older ones fetch from whatever address a registry tells them. */
const npm = join(dirname(require.resolve('npm/package.json')), 'bin/npm-cli.js')

let place: Place
const registries: Application[] = []
const folders: string[] = []

function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `bw-${name}-`))
  folders.push(folder)
  return folder
}

/** A registry without an upstream. */
async function startRegistry(): Promise<Application> {
  const folder = newFolder('verdaccio')
  const port = await freePort()
  const config = [
    `storage: ${folder}/storage`,
    'web: { title: Registry }',
    `auth: { htpasswd: { file: ${folder}/htpasswd, algorithm: sha1 } }`,
    'secret: 0123456789abcdef0123456789abcdef',
    'packages:',
    "  '@*/*': { access: $all, publish: $authenticated, unpublish: $authenticated }",
    "  '**': { access: $all, publish: $authenticated, unpublish: $authenticated }",
    'log: { type: stdout, level: warn }',
    '',
  ]
  writeFileSync(join(folder, 'config.yaml'), config.join('\n'))
  const registry = await startChild(program, ['-c', join(folder, 'config.yaml'), '-l', `127.0.0.1:${port}`], port)
  registries.push(registry)
  return registry
}

beforeAll(async () => {
  place = await Place.start()
})
afterAll(async () => {
  await place?.end()
  for (const registry of registries) await registry.end()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** What differs between two registries that received the same requests. */
const own: Own = {
  headers: ['etag', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
  text: (text) =>
    text
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
      .replace(/\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, '…')
      .replace(/"_rev": ?"[^"]*"/g, '"_rev":"…"')
      .replace(/\/-rev\/[\w-]+/g, '/-rev/…')
      .replace(/"token": ?"[^"]*"/g, '"token":"…"'),
}

/** A client with its own folder for cache, settings and packages. */
class Client {
  private readonly folder = newFolder('npm')
  private readonly registry: string

  constructor(registry: string, token: string) {
    this.registry = registry
    const host = registry.replace(/^http:/, '')
    writeFileSync(
      join(this.folder, 'npmrc'),
      `registry=${registry}/\n${host}/:_authToken=${token}\nreplace-registry-host=always\n`,
    )
  }

  /** A package folder with a file that compresses and one that does not. */
  packageOf(name: string, version: string, dependencies: Record<string, string> = {}): string {
    const folder = join(this.folder, 'packages', `${name.replace('/', '-')}-${version}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name, version, main: 'index.js', license: 'MIT', dependencies }),
    )
    writeFileSync(join(folder, 'index.js'), `module.exports = '${name} ${version}'\n`)
    writeFileSync(join(folder, 'README.md'), `# ${name}\n\n${'Line of text, 你好.\n'.repeat(isLong ? 20_000 : 500)}`)
    return folder
  }

  /** Runs npm; returns its standard output, or throws with all of its output. */
  run(cwd: string, ...args: string[]): Promise<string> {
    const env = {
      PATH: process.env.PATH,
      HOME: this.folder,
      npm_config_userconfig: join(this.folder, 'npmrc'),
      npm_config_globalconfig: join(this.folder, 'none'),
      npm_config_cache: join(this.folder, 'cache'),
      npm_config_registry: `${this.registry}/`,
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      npm_config_fetch_retries: '0',
    }
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [npm, ...args], { cwd, env, timeout: 300_000 }, (error, stdout, stderr) => {
        if (error) reject(new Error(`npm ${args.join(' ')}: ${stdout}${stderr}`))
        else resolve(stdout.trim())
      })
    })
  }
}

/** Creates a user as `npm adduser` does. */
async function addUser(way: Recorder): Promise<string> {
  const answer = await way.ask({
    method: 'PUT',
    path: '/-/user/org.couchdb.user:mia',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ _id: 'org.couchdb.user:mia', name: 'mia', password: 'secret-of-mia', type: 'user' }),
  })
  expect([answer.status, answer.body.toString().includes('"token"')]).toEqual([201, true])
  return (JSON.parse(answer.body.toString()) as { token: string }).token
}

/** Typical use of a registry. Returns the output of npm that does not depend on the machine. */
async function scenario(way: Recorder): Promise<string[]> {
  const client = new Client(way.url, await addUser(way))
  const said: string[] = []
  for (const [name, version] of [
    ['plain-package', '1.0.0'],
    ['@scope/scoped', '1.0.0'],
    ...inLong(['plain-package', '1.1.0'], ['@scope/scoped', '2.0.0-beta.1']),
  ] as const) {
    const dependencies: Record<string, string> = name.startsWith('@') ? { 'plain-package': '^1.0.0' } : {}
    await client.run(
      client.packageOf(name, version, dependencies),
      'publish',
      '--access',
      'public',
      '--tag',
      version.includes('-') ? 'beta' : 'latest',
    )
  }
  const shop = client.packageOf('shop', '0.0.1', { '@scope/scoped': '*' })
  await client.run(shop, 'install')
  for (const name of ['plain-package', '@scope/scoped'])
    said.push(readFileSync(join(shop, 'node_modules', name, 'index.js'), 'utf8'))
  said.push(await client.run(shop, 'whoami'), await client.run(shop, 'view', '@scope/scoped', 'versions', '--json'))
  if (isLong) {
    said.push(await client.run(shop, 'dist-tag', 'add', '@scope/scoped@2.0.0-beta.1', 'next'))
    said.push(await client.run(shop, 'dist-tag', 'ls', '@scope/scoped'))
    await client.run(shop, 'install', '@scope/scoped@next')
    await client.run(shop, 'deprecate', 'plain-package@1.0.0', 'old')
    said.push(
      await client.run(shop, 'search', 'scoped', '--json').then((text) => `${(JSON.parse(text) as unknown[]).length}`),
    )
    said.push(await client.run(shop, 'ping').then(() => 'pong'))
    await client.run(shop, 'unpublish', 'plain-package@1.1.0')
  }
  // Published again and unpublished for good: the client reads, deletes and reads once more.
  await client.run(shop, 'unpublish', '@scope/scoped', '--force')
  said.push(
    await client.run(shop, 'view', '@scope/scoped').then(
      () => 'still there',
      () => 'gone',
    ),
  )
  rmSync(join(shop, 'node_modules'), { recursive: true })
  said.push(existsSync(join(shop, 'node_modules')) ? 'kept' : 'removed')
  return said
}

test.each(atOnce)(
  'npm publishes, installs and unpublishes as with the registry itself, over HTTP/$version, with $name',
  { timeout: 900_000 },
  async ({ facts, version }) => {
    const [straight, behind] = [await startRegistry(), await startRegistry()]
    const { direct: beside, edge } = await place.site('npm.test', version, behind.port, facts)
    const direct = await place.way('direct', 'npm.test', version, straight.port)
    const known = await scenario(direct)
    const said = await scenario(edge)
    const found = differencesOfRuns(direct.exchanges, edge.exchanges, own)
    const paths = [
      '/plain-package',
      '/plain-package/-/plain-package-1.0.0.tgz',
      ...inLong(
        '/',
        '/@scope%2fscoped',
        '/-/ping',
        '/-/verdaccio/data/packages',
        '/-/web/detail/plain-package',
        '/-/static/favicon.ico',
      ),
    ]
    const limits = { headers: ['x-ratelimit-remaining', 'x-ratelimit-reset'] }
    found.push(...(await probe(beside, edge, paths, {}, limits)))
    expect(found).toEqual([])
    expect(said).toEqual(known)
  },
)
