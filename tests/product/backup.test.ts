/**
 * A whole installation is backed up while it runs, lost, and restored with one command each; its nodes serve all the
 * time.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, signIn } from '../harness/api.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { freePorts } from '../harness/ports.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { type Machine, newMachine, type RunningNode } from '../harness/second-node.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { until } from '../harness/until.ts'

const root = resolve(import.meta.dirname, '../..')
let folder: string
let origin: Origin
let product: Product
let shop: Shop
let machine: Machine
let node: RunningNode
let nodePort: number
const before = () => join(folder, 'before')
const after = () => join(folder, 'after')
const environment = (data: string) => ({
  BREAKWATER_DATA: data,
  NODE_PORT: String(nodePort),
  BREAKWATER_SERVER_NAMES: '127.0.0.1',
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'breakwater-restore-'))
  ;[nodePort] = (await freePorts(1)) as [number]
  origin = await startOrigin()
  product = await startProduct(environment(before()))
  shop = await openShop(product, origin.port)
  machine = await newMachine()
  const operator = await signIn(product.url, 'client', product.accounts.operator, product.accounts.password)
  const zone = (await operator.call('GET', '/client/metaZones')).body.data[0].id
  const { command } = (await operator.call('POST', `/client/zone/${zone}/enrolToken`, { name: 'elsewhere' })).body.data
  expect(await machine.install(command)).toMatchObject({ code: 0 })
  node = machine.start()
  await until('both nodes', async () => (await shop.change('GET', `${shop.of}/publish`)).live === 2, 60_000, 200)
})

afterAll(async () => {
  await machine?.close()
  await product?.stop()
  await origin?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function run(script: string, words: string[], data: string): Promise<{ code: number; said: string }> {
  const env = { ...process.env, BREAKWATER_DATA: data, BREAKWATER_BACKUP_PASSPHRASE: 'correct horse battery' }
  return new Promise((done) => {
    execFile(join(root, 'script', script), words, { env, timeout: 300_000 }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code ?? 1) : 0, said: `${stdout}${stderr}` }),
    )
  })
}
const elsewhere = (path: string) => shop.visit(path, {}, { port: machine.edgePort })
const rowsOf = async (api: Api) => {
  const body = { startTime: Date.now() / 1000 - 3600, endTime: Date.now() / 1000 + 60 }
  return (await api.call('POST', '/user/logs/access', body)).body.total as number
}

test('backed up while running, lost, restored: accounts, sites, logs and nodes are as before', async () => {
  await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, { ips: ['127.0.0.1'], urlRegex: '^/closed' })
  await shop.live()
  for (let index = 0; index < 20; index += 1) await shop.visit(`/page-${index}`)
  await until('the log', async () => (await rowsOf(shop.api)) >= 20, 60_000, 300)

  const file = join(folder, 'all.age')
  expect(await run('backup', [file], before())).toMatchObject({ code: 0, said: expect.stringContaining('found whole') })
  expect(readFileSync(file).includes('shop.example.com')).toBe(false)
  expect(await run('restore', [file], before())).toMatchObject({
    code: 1,
    said: expect.stringContaining('already runs'),
  })
  // After the backup: something that the restored installation never learns of.
  await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, { ips: ['127.0.0.1'], urlRegex: '^/later' })
  await shop.live()
  await product.stop()
  expect((await elsewhere('/closed')).status).toBe(403)
  expect((await elsewhere('/later')).status).toBe(403)

  expect(await run('restore', [file], after())).toMatchObject({
    code: 0,
    said: expect.stringContaining('was restored'),
  })
  product = await startProduct(environment(after()))
  const api = await signIn(product.url, 'user', product.accounts.customer, product.accounts.password)
  expect((await api.call('GET', shop.of)).body.data.siteName).toBe('shop')
  expect(await rowsOf(api)).toBeGreaterThanOrEqual(20)
  // The node continues with what it has, including the later rule, and follows again from the next change on.
  expect((await elsewhere('/hello')).body).toBe('origin says /hello')
  await api.call('POST', `${shop.of}/firewall/l7/blacklists`, { ips: ['127.0.0.1'], urlRegex: '^/again' })
  await until('the node to follow', async () => (await elsewhere('/again')).status === 403, 120_000, 200)
  expect((await elsewhere('/closed')).status).toBe(403)
  expect((await elsewhere('/hello')).status).toBe(200)
  const operator = await signIn(product.url, 'client', product.accounts.operator, product.accounts.password)
  const { id } = (await operator.call('GET', '/client/metaZones')).body.data[0]
  const names = (await operator.call('GET', `/client/zone/${id}/nodes`)).body.data.map(
    ({ name }: { name: string }) => name,
  )
  // The installation's own node is recognized: no second one appears.
  expect(names).toHaveLength(2)
  expect(names).toContain('elsewhere')
  expect(node.ended()).toBe(false)
}, 900_000)
