/** A node's report: its progress, the sites that it refuses, and its health. */
import type { NodeHealth, NodeReport, Vitals } from '@breakwater/contract/edge/node-api.ts'
import { configurationSite } from '@breakwater/contract/edge/node-configuration.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { foreignText } from '../db/foreign-text.ts'
import type { Sample } from '../db/rollout-tables.ts'
import { notify } from '../messages/notify.ts'
import type { NodeIdentity } from './node-identity.ts'
import { noteOrigins } from './origin-events.ts'

type Exception = NodeReport['exceptions'][number]

/** Text from a node is shown to tenants and written to logs. The contract limits its length. */
const clean = (text: string): string => foreignText(text, text.length)

/**
 * Stores a report, and sends the notice `reports` (with the group's id) if it changes the publishing status. Returns
 * sites that the node should not know of, and the node's public addresses as set by its operator.
 */
export async function storeReport(db: Database, node: NodeIdentity, report: NodeReport) {
  const before = await db
    .selectFrom('nodes')
    .select(['epoch', 'watermark', 'samples', 'publicAddresses', 'health'])
    .where('id', '=', node.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { watermark, foreign, exceptions } = await plausible(db, node, report)
  await db
    .updateTable('nodes')
    .set({ epoch: report.epoch, watermark, lastSeenAt: sql`now()`, problem: clean(report.problem ?? '') })
    .$if(report.health !== undefined, (query) =>
      query.set({
        health: JSON.stringify(report.health),
        version: clean(report.health!.version),
        schemas: report.health!.schemas.slice(0, 10),
        samples: JSON.stringify(sampled(before.samples, report.health!.vitals, Date.now())),
      }),
    )
    .where('id', '=', node.id)
    .execute()
  await noteOrigins(db, node, before.health as NodeHealth | null, report.health)
  const replaced = await replaceExceptions(db, node, exceptions)
  if (replaced || before.watermark !== watermark || before.epoch !== report.epoch)
    await sql`select pg_notify('reports', ${String(node.groupId ?? 0)})`.execute(db)
  return { foreign, publicAddresses: before.publicAddresses }
}

/** One sample a minute, for the last five minutes: the baseline for a roll-out. */
const sampleMs = 60_000
const samplesMax = 6

function sampled(samples: Sample[], vitals: Vitals | undefined, at: number): Sample[] {
  if (vitals === undefined || at - (samples.at(-1)?.at ?? 0) < sampleMs) return samples
  // After a restart of nginx its counters start from zero.
  const kept = vitals.requests < (samples.at(-1)?.vitals.requests ?? 0) ? [] : samples
  return [...kept, { at, vitals }].slice(-samplesMax)
}

/** Limits the watermark to the feed's head, and the exceptions to the group's own sites. */
async function plausible(db: Database, node: NodeIdentity, report: NodeReport) {
  const groupId = node.groupId ?? 0
  const feed = await db.selectFrom('feeds').select('head').where('groupId', '=', groupId).executeTakeFirst()
  const watermark = Math.max(0, Math.min(report.watermark, feed?.head ?? 0))
  const asked = new Map(report.exceptions.map((exception) => [exception.site, exception]))
  if (asked.size === 0) return { watermark, foreign: [], exceptions: [] }
  const rows = await db
    .selectFrom('feedEntries')
    .select('siteId')
    .where('groupId', '=', groupId)
    .where('siteId', 'in', [...asked.keys()])
    .execute()
  // A first configuration is in no feed yet while its first node tries it.
  const own = new Set([configurationSite, ...rows.map(({ siteId }) => siteId)])
  return {
    watermark,
    foreign: [...asked.keys()].filter((site) => !own.has(site)),
    exceptions: [...asked.values()].filter(({ site }) => own.has(site)),
  }
}

const keyOf = (exceptions: Exception[]): string =>
  JSON.stringify(exceptions.map(({ site, revision, reason }) => [site, revision, reason]).sort())

/** Replaces a node's exceptions. Returns false if they are the same, as in nearly every report. */
async function replaceExceptions(db: Database, { id: nodeId, name }: NodeIdentity, raw: Exception[]): Promise<boolean> {
  const exceptions = raw.map((exception) => ({ ...exception, reason: clean(exception.reason) }))
  const rows = await db
    .selectFrom('nodeExceptions')
    .select(['siteId as site', 'revision', 'reason'])
    .where('nodeId', '=', nodeId)
    .execute()
  if (keyOf(rows) === keyOf(exceptions)) return false
  await db.deleteFrom('nodeExceptions').where('nodeId', '=', nodeId).execute()
  if (exceptions.length > 0)
    await db
      .insertInto('nodeExceptions')
      .values(exceptions.map(({ site, revision, reason }) => ({ nodeId, siteId: site, revision, reason })))
      .execute()
  const known = new Set(rows.map(({ site, revision }) => `${site}/${revision}`))
  for (const exception of exceptions) {
    if (!known.has(`${exception.site}/${exception.revision}`)) await tell(db, name, exception)
  }
  return true
}

/** Notifies the customer and the operator of a site that a node could not apply it. */
async function tell(db: Database, node: string, { site, revision, reason }: Exception): Promise<void> {
  const row = await db
    .selectFrom('sites')
    .innerJoin('tenants', 'tenants.id', 'sites.tenantId')
    .select(['sites.name', 'sites.tenantId', 'tenants.operatorId'])
    .where('sites.id', '=', site)
    .executeTakeFirst()
  if (!row) return
  const about = `site/${site}/${revision}`
  const values = { site: row.name, node, reason }
  for (const tenantId of [row.tenantId, ...(row.operatorId === null ? [] : [row.operatorId])]) {
    await notify(db, { event: 'siteNotApplied', tenantId, about, siteIds: [site], values })
  }
}
