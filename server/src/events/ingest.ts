/**
 * Ingests the nodes' batches, each exactly once: the engine drops a block whose token it has seen, in every table that
 * the batch reaches, and the ledger remembers batches for longer. A batch whose receipt was lost can always be sent
 * again.
 */
import { Readable } from 'node:stream'
import type { CounterRow, EventBatch, EventReceipt } from '@breakwater/contract/edge/events.ts'
import type { EdgeTotals } from '@breakwater/contract/edge/metrics.ts'
import { rowMark } from '@breakwater/contract/edge/row-lines.ts'
import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type Database, withSystem } from '../db/database.ts'
import { concurrencyLimit } from '../engines/concurrency-limit.ts'
import { Fault } from '../http/fault.ts'
import { type Content, receiveContent, unpackContent } from './batch-content.ts'
import { reopenDays } from './close-days.ts'
import { eventCounts } from './counts.ts'
import { passing } from './failpoint.ts'
import { acceptedSpan, insertSettings, insertStatement, packedSettings } from './insert-statements.ts'
import { announceRows } from './notice.ts'
import { readableLines } from './readable-lines.ts'
import type { BatchScan } from './scan-batch.ts'
import { makeServedSites, type ServedSites } from './served-sites.ts'
import type { BatchEncoding } from './unpack.ts'

export type Sender = { nodeId: number; zoneId: number; groupId: number }
type Receipt = z.output<typeof EventReceipt>

/** Held shared by every ingest, and exclusively while rollups are rebuilt. */
export const ingestLock = 7_312_002

/**
 * Each ingest holds a connection and up to 16 MB, and the engine runs inserts one after the other anyway. Bodies of
 * waiting batches are not read yet, so nodes notice the backpressure and upload fewer, larger batches.
 */
const limited = concurrencyLimit(
  4,
  200,
  () => new Fault('unknownError', undefined, { status: 503, message: 'too many batches' }),
)

/** The engine's error codes for rows that it cannot parse. */
const unreadableCodes = ['6', '26', '27', '41', '53', '72', '117', '130', '131']

export type Ingest = (
  sender: Sender,
  batch: EventBatch,
  encoding: BatchEncoding,
  body: Readable | Buffer,
) => Promise<Receipt>

/** The ingest for a relational and an event store. Stored counters are also added to `totals`. */
export function makeIngest(db: Database, events: ClickHouseClient, totals?: EdgeTotals): Ingest {
  const servedSites = makeServedSites()
  return (sender, batch, encoding, body) =>
    limited(async () => {
      try {
        const content = await receiveContent(batch, encoding, body)
        const receipt = await withSystem(db, (tx) => takeIn(tx, events, servedSites, sender, batch, content))
        passing?.('batch committed')
        if (totals && batch.kind === 'counters' && receipt.stored) addCounters(totals, content.bytes)
        return receipt
      } catch (error) {
        if (error instanceof Fault && error.status < 500) eventCounts.refusedBatches++
        else eventCounts.failedBatches++
        throw error
      }
    })
}

/** Lines that are not valid counters were not stored either. */
function addCounters(totals: EdgeTotals, bytes: Buffer): void {
  const { bytes: readable } = readableLines({ kind: 'counters' }, bytes)
  for (const line of readable.toString('utf8').split('\n')) if (line !== '') totals.add(JSON.parse(line) as CounterRow)
}

async function takeIn(
  tx: Database,
  events: ClickHouseClient,
  servedSites: ServedSites,
  sender: Sender,
  batch: EventBatch,
  sent: Content,
): Promise<Receipt> {
  const requireOwn = (scan: BatchScan) => requireOwnRows(tx, servedSites, sender, scan)
  await requireOwn(sent.scan)
  await sql`select pg_advisory_xact_lock_shared(${ingestLock})`.execute(tx)
  if (await isStored(tx, sender, batch)) {
    eventCounts.duplicateBatches++
    return { stored: false, duplicate: true }
  }
  const { kind, boot, sequence } = batch
  const content = sent.isPacked ? await insertPacked(requireOwn, events, sender, batch, sent) : sent
  const { scan } = content
  const refusedRows = content.isPacked || scan.lines === 0 ? 0 : await insertRows(events, sender, batch, content)
  if (scan.lines > 0) await reopenLate(events, scan)
  passing?.('batch stored')
  const rows = scan.lines - refusedRows
  await tx
    .insertInto('eventBatches')
    .values({ nodeId: sender.nodeId, kind, boot, sequence, rows })
    .onConflict((on) => on.doNothing())
    .execute()
  if (kind === 'requests' && rows > 0) await announceRows(tx, sender.nodeId, sequence, scan)
  passing?.('batch noted')
  eventCounts.batches++
  eventCounts.rows += rows
  eventCounts.unreadableRows += refusedRows
  eventCounts.bytes += content.plainBytes
  return { stored: true, duplicate: false }
}

/**
 * A node may only send its own rows, for sites of its group; a batch with anything else is rejected as a whole. Site 0
 * stands for unknown hosts: nobody can read such rows, so they are not stored.
 */
async function requireOwnRows(tx: Database, servedSites: ServedSites, sender: Sender, scan: BatchScan): Promise<void> {
  const served = await servedSites(tx, sender.groupId)
  scan.sites.delete(0)
  const foreign = [...scan.sites].filter((site) => !served.has(site))
  const nodes = [...scan.nodes].filter((node) => node !== sender.nodeId)
  if (foreign.length > 0 || nodes.length > 0)
    throw new Fault('permissionDenied', { sites: foreign.slice(0, 20), nodes: nodes.slice(0, 20) })
}

async function isStored(tx: Database, sender: Sender, { kind, boot, sequence }: EventBatch): Promise<boolean> {
  const row = await tx
    .selectFrom('eventBatches')
    .select('rows')
    .where('nodeId', '=', sender.nodeId)
    .where('boot', '=', boot)
    .where('kind', '=', kind)
    .where('sequence', '=', sequence)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Stores a batch as it was sent. If the engine cannot parse it, nothing is stored, and the batch is returned
 * decompressed and checked to contain only the node's own rows.
 */
async function insertPacked(
  requireOwn: (scan: BatchScan) => Promise<void>,
  events: ClickHouseClient,
  sender: Sender,
  batch: EventBatch,
  packed: Content,
): Promise<Content> {
  try {
    await send(events, sender, batch, packed, 0)
    return packed
  } catch (error) {
    if (!(error instanceof ClickHouseError)) throw storeFault(error)
  }
  const content = await unpackContent(batch, packed)
  await requireOwn(content.scan)
  return content
}

/** Stores a batch; returns how many of its lines could not be parsed. */
async function insertRows(
  events: ClickHouseClient,
  sender: Sender,
  batch: EventBatch,
  content: Content,
): Promise<number> {
  const { bytes, scan } = content
  try {
    await send(events, sender, batch, content, 0)
    return scan.unreadable
  } catch (error) {
    if (!unreadableCodes.includes(String((error as { code?: unknown }).code))) throw storeFault(error)
  }
  const readable = readableLines(batch, bytes)
  if (readable.lines > 0)
    await send(
      events,
      sender,
      batch,
      { ...content, bytes: readable.bytes, scan: { ...scan, mark: rowMark } },
      readable.lines,
    ).catch((error) => {
      throw storeFault(error)
    })
  return scan.lines - readable.lines
}

const storeFault = (cause: unknown) => Object.assign(new Fault('databaseError'), { cause })

/** Reopens the days of late rows and counters, whose stored sums are outdated. */
async function reopenLate(events: ClickHouseClient, scan: BatchScan): Promise<void> {
  const now = Date.now()
  const accepted = acceptedSpan(now / 1000)
  const from = Math.max(scan.from, accepted.from)
  try {
    await reopenDays(events, { from, to: scan.to }, now)
  } catch (error) {
    throw storeFault(error)
  }
}

async function send(
  events: ClickHouseClient,
  sender: Sender,
  batch: EventBatch,
  { bytes, isPacked, scan }: Content,
  badLinesMax: number,
): Promise<void> {
  const { kind, boot, sequence } = batch
  const accepted = acceptedSpan(Date.now() / 1000)
  // The declared end is a whole second: it includes everything before the next one.
  const told = { from: Math.max(accepted.from, scan.from), to: Math.min(accepted.to, scan.to + 0.999) }
  const result = await events.exec({
    query: insertStatement(batch, isPacked, scan.mark),
    values: Readable.from([bytes]),
    query_params: {
      node: sender.nodeId,
      zone: sender.zoneId,
      boot,
      sequence,
      sites: [...scan.sites],
      ...(isPacked ? { ...told, rows: scan.lines } : accepted),
    },
    ...(isPacked && { http_headers: { 'content-encoding': 'zstd' } }),
    clickhouse_settings: {
      ...insertSettings,
      ...(isPacked && packedSettings),
      insert_deduplication_token: `${sender.nodeId}/${boot}/${kind}/${sequence}`,
      input_format_allow_errors_num: String(badLinesMax),
    },
  })
  result.stream.resume()
}
