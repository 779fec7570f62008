/** A second node: one command with a one-time token, from the control plane's signed bundle, and what it may not do. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, signIn } from '../harness/api.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { watchPace } from '../harness/pace.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { type Machine, newMachine, type RunningNode } from '../harness/second-node.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { until } from '../harness/until.ts'

let product: Product
let origin: Origin
let shop: Shop
let operator: Api
let machine: Machine
let node: RunningNode

beforeAll(async () => {
  origin = await startOrigin()
  product = await startProduct({ BREAKWATER_SERVER_NAMES: '127.0.0.1' })
  shop = await openShop(product, origin.port)
  operator = await signIn(product.url, 'client', product.accounts.operator, product.accounts.password)
  machine = await newMachine()
})

afterAll(async () => {
  await machine?.close()
  await product?.stop()
  await origin?.stop()
})

let zone: number
async function invitation(): Promise<{ command: string; token: string }> {
  zone ??= (await operator.call('GET', '/client/metaZones')).body.data[0].id
  return (await operator.call('POST', `/client/zone/${zone}/enrolToken`, { name: 'taipei-2' })).body.data
}
const nodesOfZone = async () => (await operator.call('GET', `/client/zone/${zone}/nodes`)).body.data
const visitSecond = (path: string) => shop.visit(path, {}, { port: machine.edgePort })

let first: { command: string; token: string }

test('one command makes a machine a node that serves every site of its group', async () => {
  first = await invitation()
  expect(await machine.install(first.command)).toMatchObject({ code: 0 })
  node = machine.start()
  await until(
    'the sites on both nodes',
    async () => (await shop.change('GET', `${shop.of}/publish`)).live === 2,
    60_000,
    200,
  )
  expect(await visitSecond('/hello')).toMatchObject({ status: 200, body: 'origin says /hello' })
  expect((await nodesOfZone()).map(({ name }: { name: string }) => name)).toContain('taipei-2')
})

test('its keys were generated on it, are its own, and the workers of nginx cannot read them', () => {
  const own = join(machine.folder, 'data/agent')
  for (const name of ['tls.key', 'seal.key', 'identity.json']) expect(statSync(join(own, name)).mode & 0o077).toBe(0)
  expect(statSync(own).mode & 0o077).toBe(0)
  expect(statSync(join(machine.folder, 'etc')).mode & 0o077).toBe(0)
})

test('a setting is enforced on both nodes', async () => {
  await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, { ips: ['127.0.0.1'], urlRegex: '^/closed' })
  await shop.live()
  expect((await shop.visit('/closed')).status).toBe(403)
  expect((await visitSecond('/closed')).status).toBe(403)
})

const bannedFrom = Array.from({ length: 8 }, (_, i) => `127.0.0.${20 + i}`)
const second = (path: string, from: string) => shop.visit(path, {}, { port: machine.edgePort, from })
const ban = async (from: string) => {
  for (let n = 0; n < 10; n++) expect((await shop.visit('/locked', {}, { from })).status).toBe(403)
}

/** Bans clients that keep being refused, and challenges everybody as set in `more`. */
const protect = (more: { mode: 'off' } | { mode: 'auto'; threshold: number }) =>
  shop.change('PUT', `${shop.of}/firewall/setting/adv`, {
    ...{ enable: true, blockType: 1, blockSeconds: 3600, whiteUrls: [], ...more },
  })

test('a client banned on one node is refused on the other within three seconds, and served on both once that is lifted', async () => {
  await protect({ mode: 'off' })
  await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, { ips: ['127.0.0.0/8'], urlRegex: '^/locked' })
  await shop.live()
  const took: number[] = []
  for (const from of bannedFrom) {
    expect((await second('/hello', from)).status).toBe(200)
    await ban(from)
    const [at, pace] = [performance.now(), watchPace()]
    await until('the ban on the other node', async () => (await second('/hello', from)).status === 429)
    took.push(performance.now() - at)
    expect(took.at(-1)).toBeLessThan(pace.within(3_000))
    pace.stop()
  }
  const list = async (query: string) =>
    (await shop.api.call('GET', `/user/blockIPs?siteID=${shop.siteID}${query}`)).body
  expect((await list('')).total).toBe(bannedFrom.length)
  const [banned] = (await list('&ips=127.0.0.20')).data
  expect(banned).toMatchObject({ ip: '127.0.0.20', siteName: 'shop', causes: ['denyRules'] })
  const explained = await until('the request that led to it', async () => {
    const { status, body } = await shop.api.call('POST', '/user/logs/explain', { reference: banned.reference })
    return status === 200 && body.data.row && body.data
  })
  expect(explained).toMatchObject({ guard: 'denyRules', rule: banned.rule, row: { reqID: banned.reqID } })
  const [lifted, ...rest] = bannedFrom as [string, ...string[]]
  const at = performance.now()
  const pace = watchPace()
  await shop.change('DELETE', '/user/blockIPs', { siteID: shop.siteID, ips: [lifted] })
  for (const port of [product.edgePort, machine.edgePort])
    await until(
      'the end of the ban',
      async () => (await shop.visit('/hello', {}, { from: lifted, port })).status === 200,
    )
  expect(performance.now() - at).toBeLessThan(pace.within(3_000))
  pace.stop()
  for (const from of rest) expect((await second('/hello', from)).status).toBe(429)
  console.info(`a ban reached the other node in at most ${Math.round(Math.max(...took))} ms`)
})

test('one limit holds over both nodes: what the first admits is deducted on the other', async () => {
  const rule = { urlRegex: '^/counted', seconds: 3600, times: 300, blockType: 1 }
  await shop.change('POST', `${shop.of}/firewall/l7/intervalRates`, rule)
  await shop.live()
  const from = '127.0.0.90'
  expect((await second('/counted', from)).status).toBe(200)
  let admitted = 0
  await until(
    'the limit on the other node',
    async () => {
      await Promise.all(Array.from({ length: 10 }, () => shop.visit('/counted', {}, { from })))
      const { status } = await second('/counted', from)
      if (status === 200) admitted += 1
      return status === 503
    },
    120_000,
    150,
  )
  // Alone it would have admitted 299.
  expect(admitted).toBeLessThan(250)
  expect((await second('/counted', '127.0.0.91')).status).toBe(200)
})

test('a flood switches the challenge of a site on both nodes, and the state says what switched it', async () => {
  await protect({ mode: 'auto', threshold: 1 })
  await shop.live()
  const state = () => shop.change('GET', `${shop.of}/firewall/setting/adv/state`)
  expect(await state()).toMatchObject({ challenges: false, switchedBy: 'nobody', attacks: [] })
  const statuses = async () => {
    const both = [shop.visit('/hello'), visitSecond('/hello')]
    return (await Promise.all(both)).map(({ status }) => status)
  }
  await until('the challenge on both nodes', async () => (await statuses()).every((status) => status === 503))
  const seen = await until('both nodes to be named', async () => {
    await statuses()
    const now = await state()
    return now.attacks[0]?.nodes.length === 2 && now
  })
  expect(seen).toMatchObject({
    challenges: true,
    switchedBy: 'traffic',
    attacks: [{ reason: 'requests', endedAt: null }],
  })
  // Bans last as long as the protection is on.
  await protect({ mode: 'off' })
  await shop.live()
  expect(await statuses()).toEqual([200, 200])
})

test('the token is used up: nobody gets the bundle or joins with it again', async () => {
  const other = await newMachine()
  try {
    const again = await other.install(`set -o pipefail; ${first.command}`)
    expect(again.code).not.toBe(0)
    expect(again.said).toContain('401')
    expect(existsSync(join(other.folder, 'opt'))).toBe(false)
  } finally {
    await other.close()
  }
})

test('a tampered bundle is refused, whatever was changed', async () => {
  const { command, token } = await invitation()
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-bundle-'))
  const other = await newMachine()
  try {
    const carried = join(folder, 'carried.tar.gz')
    const authority = join(machine.folder, 'etc/authority.pem')
    const source = [
      '--cacert',
      authority,
      '-H',
      `Authorization: Bearer ${token}`,
      `https://127.0.0.1:${product.nodePort}/bundle`,
    ]
    execFileSync('curl', ['-fsS', '-o', carried, ...source])
    execFileSync('tar', ['-xzf', carried, '-C', folder])
    const changes: Record<string, (bundle: string) => void> = {
      'other files than it was signed with': (bundle) => appendFileSync(join(bundle, 'edge/src/agent/main.ts'), '//\n'),
      'files that nobody signed': (bundle) => appendFileSync(join(bundle, 'edge/src/agent/more.ts'), '//\n'),
      'the signature of the bundle is wrong': (bundle) => appendFileSync(join(bundle, 'SHA256SUMS'), '\n'),
      'a key that this installation does not know': (bundle) => appendFileSync(join(bundle, 'SHA256SUMS.key'), 'x'),
    }
    for (const [reason, change] of Object.entries(changes)) {
      const copy = mkdtempSync(join(folder, 'copy-'))
      execFileSync('cp', ['-a', join(folder, 'breakwater-node'), copy])
      change(join(copy, 'breakwater-node'))
      const packed = join(copy, 'bundle.tar.gz')
      execFileSync('tar', ['--use-compress-program=gzip -1', '-cf', packed, '-C', copy, 'breakwater-node'])
      const answer = await other.install(command, { BREAKWATER_NODE_BUNDLE: packed })
      expect(answer.code, reason).not.toBe(0)
      expect(answer.said).toContain(reason)
      expect(existsSync(join(other.folder, 'opt'))).toBe(false)
    }
    expect((await other.install(command, { BREAKWATER_NODE_BUNDLE: carried })).code).toBe(0)
  } finally {
    await other.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('without a token, or with a guessed one, neither installer nor bundle is served', async () => {
  const authority = join(machine.folder, 'etc/authority.pem')
  for (const path of ['install', 'bundle'])
    for (const header of ['x-nothing: 1', 'Authorization: Bearer bwn_guess', 'Authorization: Bearer ']) {
      const url = `https://127.0.0.1:${product.nodePort}/${path}`
      const status = execFileSync('curl', [
        '-sS',
        '--cacert',
        authority,
        '-o',
        '/dev/null',
        '-w',
        '%{http_code}',
        '-H',
        header,
        url,
      ])
      expect(String(status), `${path} with ${header}`).toBe('401')
    }
})

test('it restarts and serves without asking the control plane', async () => {
  await node.stop()
  const held = readFileSync(join(machine.folder, 'data/agent/identity.json'), 'utf8')
  node = machine.start()
  await until('the node to serve', async () => (await visitSecond('/hello')).status === 200)
  // nginx started with empty memory: it read the bans from disk before it answered anybody.
  expect((await second('/hello', bannedFrom[1]!)).status).toBe(429)
  expect((await second('/hello', bannedFrom[0]!)).status).toBe(200)
  expect(readFileSync(join(machine.folder, 'data/agent/identity.json'), 'utf8')).toBe(held)
})

test('a removed node is cut off within five seconds', async () => {
  const { id } = (await nodesOfZone()).find(({ name }: { name: string }) => name === 'taipei-2')
  const from = node.said().length
  const pace = watchPace()
  const remove = () => operator.call('DELETE', `/client/zone/${zone}/node`, { id })
  // A node in service cannot be removed by mistake.
  expect((await remove()).body.code).toBe(202003)
  expect((await operator.call('PATCH', '/client/node/status', { ids: [id], status: 0 })).status).toBe(200)
  expect((await remove()).status).toBe(200)
  const at = performance.now()
  await until('the agent to be refused', async () => /101012|refused/.test(node.said().slice(from)))
  expect(performance.now() - at).toBeLessThan(pace.within(5_000))
  pace.stop()
  expect((await shop.change('GET', `${shop.of}/publish`)).nodes).toBe(1)
})

test('the systemd units are valid', () => {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-units-'))
  try {
    for (const part of ['agent', 'nginx']) {
      const text = readFileSync(join(machine.folder, `opt/${part}.service`), 'utf8')
        .replaceAll('@prefix@', join(machine.folder, 'opt'))
        .replaceAll('@data@', join(machine.folder, 'data'))
        .replaceAll('@config@', join(machine.folder, 'etc'))
      const path = join(folder, `breakwater-node-${part}.service`)
      appendFileSync(path, text)
      execFileSync('systemd-analyze', ['verify', '--man=no', path])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
