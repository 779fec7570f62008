import { Readable } from 'node:stream'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { type BatchNote, noteFrame } from '@breakwater/contract/edge/batch-note.ts'
import type { EventBatch, RequestRow } from '@breakwater/contract/edge/events.ts'
import { lineOfRow, rowMark, rowMarksBefore } from '@breakwater/contract/edge/row-lines.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventCounts } from './counts.ts'
import { type Ingest, makeIngest, type Sender } from './ingest.ts'
import { pingEvents } from './ping.ts'
import { queryRows } from './store.ts'
import { makeCounter, makeRow, makeTraffic, ndjson } from './testing/make-rows.ts'
import { makeTenants, type TestTenants } from './testing/make-tenants.ts'
import { startStores, type TestStores } from './testing/stores.ts'

let stores: TestStores
let tenants: TestTenants
let sender: Sender
let ingest: Ingest
let sequence = 0

beforeAll(async () => {
  stores = await startStores()
  tenants = await makeTenants(stores.database.db, 'ingest', 2, 12)
  sender = { nodeId: tenants.nodeId, zoneId: tenants.zoneId, groupId: tenants.groupId }
  ingest = makeIngest(stores.database.db, stores.events)
})
afterAll(() => stores.close())

/** Every test has a site of its own. */
let taken = 0
const freshSite = () => tenants.customers.flatMap((customer) => customer.siteIds)[taken++]!

const batchOf = (kind: EventBatch['kind'] = 'requests'): EventBatch => ({
  kind,
  boot: '0123456789abcdef',
  sequence: ++sequence,
  rows: 0,
})
const hourAgo = Math.floor(Date.now() / 1000) - 3_600
const trafficOf = (site: number, count = 500) =>
  makeTraffic(count, { from: hourAgo, to: hourAgo + 600, sites: [site], seed: site + 1 }).map((row) => ({
    ...row,
    node: sender.nodeId,
  }))

async function sums(site: number) {
  const of = async (table: string, expression: string) =>
    (
      await queryRows<{ n: number }>(
        stores.events,
        `select ${expression} as n from ${table} where site = {site:UInt32}`,
        { site },
      )
    )[0]!.n
  return {
    rows: await of('requests_raw_v1', 'count()'),
    requests: await of('requests_raw_v1', 'sum(weight)'),
    minute: await of('requests_per_minute_v1', 'sum(requests)'),
    fiveMinutes: await of('requests_per_five_minutes_v1', 'sum(requests)'),
    hour: await of('requests_per_hour_v1', 'sum(requests)'),
  }
}
const sumsOf = (rows: { weight: number }[]) => {
  const requests = rows.reduce((sum, row) => sum + row.weight, 0)
  return { rows: rows.length, requests, minute: requests, fiveMinutes: requests, hour: requests }
}

test('a batch is stored once, in rows and rollups, however often and however compressed it is sent', async () => {
  const site = freshSite()
  const rows = trafficOf(site)
  const batch = batchOf()
  const bytes = ndjson(rows)
  expect(await ingest(sender, batch, 'zstd', Readable.from([zstdCompressSync(bytes)]))).toEqual({
    stored: true,
    duplicate: false,
  })
  expect(await ingest(sender, batch, 'gzip', gzipSync(bytes))).toEqual({ stored: false, duplicate: true })
  expect(await ingest(sender, batch, '', bytes)).toEqual({ stored: false, duplicate: true })
  expect(await sums(site)).toEqual(sumsOf(rows))
})

test('a batch whose ledger entry was lost is still stored only once', async () => {
  const site = freshSite()
  const rows = trafficOf(site)
  const batch = batchOf()
  await ingest(sender, batch, '', ndjson(rows))
  await stores.database.db.deleteFrom('eventBatches').where('sequence', '=', batch.sequence).execute()
  expect(await ingest(sender, batch, '', ndjson(rows))).toEqual({ stored: true, duplicate: false })
  expect(await sums(site)).toEqual(sumsOf(rows))
})

test('the same batch sent twice concurrently is stored once', async () => {
  const site = freshSite()
  const rows = trafficOf(site)
  const batch = batchOf()
  await Promise.all([ingest(sender, batch, '', ndjson(rows)), ingest(sender, batch, '', ndjson(rows))])
  expect(await sums(site)).toEqual(sumsOf(rows))
})

test('batches interrupted by the death of the engine are stored once after it is back', async () => {
  const site = freshSite()
  const rows = trafficOf(site, 6_000)
  const bytes = ndjson(rows)
  const batches: EventBatch[] = []
  for (let round = 0; round < 6; round++) {
    const batch = batchOf()
    batches.push(batch)
    const sent = ingest(sender, batch, '', bytes).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, round * 25))
    await stores.killEvents()
    await stores.startEvents()
    await sent
  }
  for (const batch of batches) {
    const receipt = await ingest(sender, batch, '', bytes)
    expect(receipt.stored || receipt.duplicate).toBe(true)
  }
  const once = sumsOf(rows)
  const all = Object.fromEntries(Object.entries(once).map(([name, value]) => [name, value * batches.length]))
  expect(await sums(site)).toEqual(all)
})

test('an unavailable store is reported, and the batch can be sent again', async () => {
  const site = freshSite()
  const batch = batchOf()
  const bytes = ndjson([makeRow({ node: sender.nodeId, site })])
  await stores.killEvents()
  await expect(pingEvents(stores.events)).rejects.toThrow()
  await expect(ingest(sender, batch, '', bytes)).rejects.toMatchObject({ status: 500, reason: 'databaseError' })
  await stores.startEvents()
  await pingEvents(stores.events)
  expect(await ingest(sender, batch, '', bytes)).toEqual({ stored: true, duplicate: false })
})

test('a decompression bomb is rejected before it is unpacked', async () => {
  const before = eventCounts.refusedBatches
  const bomb = zstdCompressSync(Buffer.alloc(100_000_000, 32))
  expect(bomb.length).toBeLessThan(20_000)
  await expect(ingest(sender, batchOf(), 'zstd', Readable.from([bomb]))).rejects.toMatchObject({ status: 413 })
  await expect(ingest(sender, batchOf(), 'gzip', gzipSync(Buffer.alloc(17_000_000)))).rejects.toMatchObject({
    status: 413,
  })
  await expect(ingest(sender, batchOf(), '', Buffer.alloc(16_000_001))).rejects.toMatchObject({ status: 413 })
  await expect(ingest(sender, batchOf(), 'zstd', Buffer.from('no zstd'))).rejects.toMatchObject({ status: 400 })
  expect(eventCounts.refusedBatches).toBe(before + 4)
})

test('a batch with rows of a site that the group does not serve, or of another node, is rejected whole', async () => {
  const site = freshSite()
  const own = { node: sender.nodeId, site }
  const foreign = await makeTenants(stores.database.db, 'ingest-foreign', 1, 1)
  const theirs = foreign.customers[0]!.siteIds[0]!
  for (const row of [
    makeRow({ ...own, site: theirs }),
    makeRow({ ...own, site: site + 2 ** 32 }),
    makeRow({ ...own, node: foreign.nodeId }),
  ]) {
    await expect(ingest(sender, batchOf(), '', ndjson([makeRow(own), row]))).rejects.toMatchObject({ status: 403 })
  }
  expect((await sums(site)).rows).toBe(0)
  expect((await sums(theirs)).rows).toBe(0)
})

test('rows of unknown hosts are dropped without affecting the others', async () => {
  const site = freshSite()
  const rows = [makeRow({ node: sender.nodeId, site }), makeRow({ node: sender.nodeId, site: 0 })]
  await ingest(sender, batchOf(), '', ndjson(rows))
  expect([(await sums(site)).rows, (await sums(0)).rows]).toEqual([1, 0])
})

test('a site id hidden in an escaped key is not stored', async () => {
  const site = freshSite()
  const { site: _, ...rest } = makeRow({ node: sender.nodeId })
  const theirs = 9_999
  const line = `${JSON.stringify({ note: { site }, ...rest }).slice(0, -1)},"\\u0073ite":${theirs}}\n`
  await ingest(sender, batchOf(), '', Buffer.from(line))
  expect((await sums(theirs)).rows).toBe(0)
})

test('text that looks like a key is treated as text', async () => {
  const site = freshSite()
  await ingest(
    sender,
    batchOf(),
    '',
    ndjson([makeRow({ node: sender.nodeId, site, path: '/"site":77,"node":78', userAgent: '\\"site":79' })]),
  )
  expect((await sums(site)).rows).toBe(1)
})

test('a broken line is counted, and the others are stored', async () => {
  const site = freshSite()
  const before = eventCounts.unreadableRows
  const good = [makeRow({ node: sender.nodeId, site }), makeRow({ node: sender.nodeId, site })]
  const torn = `{"time":1,"node":${sender.nodeId},"site":${site},"sta\nnot json\n`
  await ingest(sender, batchOf(), '', Buffer.concat([ndjson([good[0]!]), Buffer.from(torn), ndjson([good[1]!])]))
  expect((await sums(site)).rows).toBe(2)
  expect(eventCounts.unreadableRows).toBe(before + 2)
})

test('rows from the future or too far in the past are dropped', async () => {
  const site = freshSite()
  const times = [Date.now() / 1000 + 86_400, Date.now() / 1000 - 86_400 * 40, 5, Date.now() / 1000]
  await ingest(sender, batchOf(), '', ndjson(times.map((time) => makeRow({ node: sender.nodeId, site, time }))))
  expect((await sums(site)).rows).toBe(1)
})

test('values are stored as the node wrote them', async () => {
  const site = freshSite()
  const time = Math.floor(Date.now() / 1000) - 10 + 0.123
  const row = makeRow({
    node: sender.nodeId,
    site,
    time,
    address: '2001:db8::1',
    query: 'a=%22\u0001é',
    bytesSent: 5_000_000_000,
  })
  await ingest(sender, batchOf(), '', ndjson([row]))
  const stored = await queryRows<object>(
    stores.events,
    `select toUnixTimestamp64Milli(time) / 1000 as time, node, toString(address) as address, query, bytesSent, weight
     from requests_raw_v1 where site = {site:UInt32}`,
    { site },
  )
  const { node, address, query, bytesSent, weight } = row
  expect(stored).toEqual([{ time, node, address, query, bytesSent, weight }])
})

const linesOf = (rows: Partial<RequestRow>[]) => Buffer.from(rows.map(lineOfRow).join(''))
const storedAs = (site: number) =>
  queryRows<object>(
    stores.events,
    `select toUnixTimestamp64Milli(time) / 1000 as time, node, toString(address) as address, path, query, requestTime, status,
       contentType, originFailure, userAgent, bytesSent, weight from requests_raw_v1 where site = {site:UInt32} order by time`,
    { site },
  )

test('rows sent as lines are stored like rows sent as JSON, and count in every rollup', async () => {
  const [site, other] = [freshSite(), freshSite()]
  const row = makeRow({ node: sender.nodeId, time: hourAgo + 0.123, address: '2001:db8::1', originFailure: 'tls' })
  const rows = [
    { ...row, path: '/\t"x"\\n\u0001é', query: 'v2\t1\t2', bytesSent: 5_000_000_000, weight: 4 },
    { ...row, time: hourAgo + 1, status: 0, contentType: '', userAgent: 'x'.repeat(512), address: '192.0.2.7' },
  ]
  const of = (id: number) => rows.map((one) => ({ ...one, site: id }))
  await ingest(sender, batchOf(), '', ndjson(of(site)))
  const batch: EventBatch = { ...batchOf(), form: 'lines' }
  // nginx writes a dash for a missing header, and always three digits for a status.
  const text = linesOf(of(other))
    .toString()
    .replaceAll('\t0\t0\t\t0\t', '\t000\t0\t\t0\t')
    .replace(/\t\t0\t\t1\t0\t\n$/, '\t-\t0\t\t1\t0\t\n')
  await ingest(sender, batch, 'zstd', zstdCompressSync(Buffer.from(text)))
  expect(await storedAs(other)).toEqual(await storedAs(site))
  expect(await sums(other)).toEqual(sumsOf(rows))
  await stores.database.db.deleteFrom('eventBatches').where('sequence', '=', batch.sequence).execute()
  await ingest(sender, batch, '', Buffer.from(text))
  expect(await sums(other)).toEqual(sumsOf(rows))
})

test('older nodes write fewer values without saying so: their lines are stored, noted, scanned or broken', async () => {
  const site = freshSite()
  const row = makeRow({ node: sender.nodeId, site, time: hourAgo, asn: 13335, weight: 3 })
  const lines = (): EventBatch => ({ ...batchOf(), form: 'lines' })
  const before = linesOf([row])
    .toString('latin1')
    .trimEnd()
    .split('\t')
    .slice(1, rowMarksBefore.v1 + 1)
  const bytes = Buffer.from(`${['v1', ...before].join('\t')}\n`)
  const note = { rows: 1, bytes: bytes.length, sites: [site], from: hourAgo, to: hourAgo }
  await ingest(sender, lines(), 'zstd', Buffer.concat([zstdCompressSync(bytes), noteFrame(note)]))
  await ingest(sender, lines(), '', bytes)
  await ingest(sender, lines(), '', Buffer.concat([bytes, Buffer.from('torn\n')]))
  await ingest(sender, lines(), '', linesOf([row]))
  const stored = await queryRows<{ asn: number; n: number }>(
    stores.events,
    'select asn, toUInt32(sum(weight)) as n from requests_raw_v1 where site = {site:UInt32} group by asn order by asn',
    { site },
  )
  expect(stored).toEqual([
    { asn: 0, n: 9 },
    { asn: 13335, n: 3 },
  ])
})

test('lines of other nodes or sites reject the batch; a broken line is counted, the others are stored', async () => {
  const site = freshSite()
  const row = makeRow({ node: sender.nodeId, site })
  const lines = (): EventBatch => ({ ...batchOf(), form: 'lines' })
  for (const foreign of [
    { ...row, node: sender.nodeId + 1 },
    { ...row, site: 9_999 },
  ])
    await expect(ingest(sender, lines(), '', linesOf([row, foreign]))).rejects.toMatchObject({ status: 403 })
  expect((await sums(site)).rows).toBe(0)
  const before = eventCounts.unreadableRows
  const good = linesOf([row]).toString('latin1')
  const broken = [good.slice(0, 60), good.slice(0, 40) + good.slice(0, -1), `v0${good.slice(2, -1)}`]
  await ingest(sender, lines(), '', Buffer.from([good.slice(0, -1), ...broken, good].join('\n'), 'latin1'))
  expect((await sums(site)).rows).toBe(2)
  expect(eventCounts.unreadableRows).toBe(before + 3)
})

test('lines with a note are stored unscanned, but only rows that the note declares and the node may send', async () => {
  const [site, untold] = [freshSite(), freshSite()]
  const lines = (): EventBatch => ({ ...batchOf(), form: 'lines' })
  const noted = (rows: Partial<RequestRow>[], over: Partial<BatchNote> = {}, more = '') => {
    const bytes = Buffer.concat([linesOf(rows), Buffer.from(more)])
    const times = rows.map(({ time }) => Math.floor(time!))
    const note = {
      rows: rows.length,
      bytes: bytes.length,
      sites: [site],
      from: Math.min(...times),
      to: Math.max(...times),
      mark: rowMark as typeof rowMark,
    }
    return Buffer.concat([zstdCompressSync(bytes), noteFrame({ ...note, ...over })])
  }
  const rows = trafficOf(site)
  const batch = lines()
  expect(await ingest(sender, batch, 'zstd', noted(rows))).toEqual({ stored: true, duplicate: false })
  expect(await ingest(sender, batch, 'zstd', noted(rows))).toEqual({ stored: false, duplicate: true })
  // Without the ledger, and by a control plane that scans.
  await stores.database.db.deleteFrom('eventBatches').where('sequence', '=', batch.sequence).execute()
  await ingest(sender, batch, 'zstd', noted(rows))
  await stores.database.db.deleteFrom('eventBatches').where('sequence', '=', batch.sequence).execute()
  await ingest(sender, batch, '', linesOf(rows))
  expect(await sums(site)).toEqual(sumsOf(rows))

  const row = makeRow({ node: sender.nodeId, site, time: hourAgo + 0.5 })
  const others = [
    { ...row, site: untold },
    { ...row, node: sender.nodeId + 1 },
    { ...row, time: hourAgo + 1 },
  ]
  await ingest(sender, lines(), 'zstd', noted([row, ...others], { to: hourAgo }))
  await ingest(sender, lines(), 'zstd', noted([row, row], { rows: 1 }))
  await ingest(sender, lines(), 'zstd', noted([row], {}, linesOf([row]).toString().replace('v2', 'v0')))
  expect([(await sums(site)).rows, (await sums(untold)).rows]).toEqual([rows.length + 3, 0])
  await expect(ingest(sender, lines(), 'zstd', noted([row], { sites: [site, 9_999] }))).rejects.toMatchObject({
    status: 403,
  })
  await expect(
    ingest(sender, lines(), 'zstd', noted([{ ...row, site: 9_999 }], { rows: 2 }, 'torn\n')),
  ).rejects.toMatchObject({
    status: 403,
  })
  const before = eventCounts.unreadableRows
  await ingest(sender, lines(), 'zstd', noted([row], { rows: 2 }, 'torn\n'))
  expect([(await sums(site)).rows, eventCounts.unreadableRows - before]).toEqual([rows.length + 4, 1])
  const bomb = zstdCompressSync(Buffer.alloc(1_000_000_000, 32))
  const told = { rows: 1, bytes: 1, sites: [site], from: hourAgo, to: hourAgo }
  for (const [body, status] of [
    [bomb, 413],
    [Buffer.from('no zstd'), 400],
  ] as const)
    await expect(ingest(sender, lines(), 'zstd', Buffer.concat([body, noteFrame(told)]))).rejects.toMatchObject({
      status,
    })
})

test('JSON lines are accepted as older nodes write them', async () => {
  const site = freshSite()
  const time = (Date.now() / 1000 - 5).toFixed(3)
  const { time: _, status: __, requestTime: ___, path: ____, ...rest } = makeRow({ node: sender.nodeId, site })
  const head = `{"time":${time},"status":000,"requestTime":0.012e3,`
  const line = Buffer.concat([
    Buffer.from(`${head}"path":"/caf`),
    Buffer.from([0xff, 0xfe]),
    Buffer.from(`\\u0007\\"x",${JSON.stringify(rest).slice(1)}\n`),
  ])
  const before = eventCounts.unreadableRows
  await ingest(sender, batchOf(), '', line)
  const stored = await queryRows<object>(
    stores.events,
    'select toUnixTimestamp64Milli(time) / 1000 as at, status, requestTime, path from requests_raw_v1 where site = {site:UInt32}',
    { site },
  )
  expect(stored).toEqual([{ at: Number(time), status: 0, requestTime: 12, path: '/caf\ufffd\ufffd\u0007"x' }])
  expect(eventCounts.unreadableRows).toBe(before)
})

test('counters are summed by minute and hour: parts of a minute add up, whatever is sent again', async () => {
  const site = freshSite()
  const minute = Math.floor(hourAgo / 3_600) * 3_600 + 600
  const line = (over: object) => makeCounter({ node: sender.nodeId, site, minute, ...over })
  const sumsOfSite = async () => {
    const of = async (table: string) =>
      queryRows<{ at: number; action: string; requests: number; sent: number }>(
        stores.events,
        `select toUnixTimestamp(time) as at, action, sum(requests) as requests, sum(bytesSent) as sent from ${table}
         where site = {site:UInt32} group by time, action order by at, action`,
        { site },
      )
    return { minutes: await of('counted_per_minute_v1'), hours: await of('counted_per_hour_v1') }
  }
  const first = batchOf('counters')
  const refused = line({ cause: 903, status: 403, action: 'block', cache: '', requests: 2, bytesSent: 5 })
  const lines = ndjson([line({ requests: 3 }), line({ requests: 4, action: 'observe', cause: 903 }), refused])
  await ingest(sender, first, '', lines)
  // The rest of the minute, and more for a minute long over; earlier batches are sent again, with and without the
  // ledger.
  await ingest(sender, batchOf('counters'), '', ndjson([line({ requests: 5 })]))
  await ingest(sender, batchOf('counters'), '', ndjson([line({ requests: 1, minute: minute - 60 })]))
  expect(await ingest(sender, first, '', lines)).toEqual({ stored: false, duplicate: true })
  await stores.database.db.deleteFrom('eventBatches').where('sequence', '=', first.sequence).execute()
  await ingest(sender, first, '', lines)
  const { minutes, hours } = await sumsOfSite()
  expect(minutes).toEqual([
    { at: minute - 60, action: 'pass', requests: 1, sent: 1_000 },
    { at: minute, action: 'block', requests: 2, sent: 5 },
    { at: minute, action: 'observe', requests: 4, sent: 1_000 },
    { at: minute, action: 'pass', requests: 8, sent: 2_000 },
  ])
  expect(hours.map(({ action, requests }) => [action, requests])).toEqual([
    ['block', 2],
    ['observe', 4],
    ['pass', 9],
  ])
})

test('counters of older nodes without an action are classified by their cause', async () => {
  const site = freshSite()
  const of = (over: object) => {
    const { action: _, ...line } = makeCounter({ node: sender.nodeId, site, requests: 1, ...over })
    return line
  }
  await ingest(sender, batchOf('counters'), '', ndjson([of({}), of({ cause: 929 }), of({ cause: 978 })]))
  const rows = await queryRows<{ action: string }>(
    stores.events,
    'select action from counted_per_minute_v1 where site = {site:UInt32} order by action',
    { site },
  )
  expect(rows.map(({ action }) => action)).toEqual(['block', 'challenge', 'pass'])
})

test('exact sums are stored once per batch, even much later', async () => {
  const site = freshSite()
  const lines = [
    makeCounter({ node: sender.nodeId, site }),
    makeCounter({ node: sender.nodeId, site }),
    makeCounter({ node: sender.nodeId, site, cache: 'MISS' }),
  ]
  const batch = batchOf('counters')
  await ingest(sender, batch, '', ndjson(lines))
  await ingest(sender, batchOf('counters'), '', ndjson(lines))
  // Both the ledger and the engine's own deduplication window have forgotten the batch.
  await stores.database.db.deleteFrom('eventBatches').where('sequence', '=', batch.sequence).execute()
  await stores.events.command({
    query: 'alter table counters_per_minute_v1 modify setting non_replicated_deduplication_window = 0',
  })
  await ingest(sender, batch, '', ndjson(lines))
  await stores.events.command({
    query: 'alter table counters_per_minute_v1 modify setting non_replicated_deduplication_window = 10000',
  })
  const total = await queryRows<{ requests: number }>(
    stores.events,
    'select sum(requests) as requests from counters_per_minute_v1 final where site = {site:UInt32}',
    { site },
  )
  expect(total).toEqual([{ requests: 60 }])
})
