/** The edge's metrics for Prometheus: what nodes have counted since this process started, and their state. */
import type { EdgeTotals, NodeVitals } from '@breakwater/contract/edge/metrics.ts'
import { vitalsText } from '@breakwater/contract/edge/metrics.ts'
import { NodeHealth } from '@breakwater/contract/edge/node-api.ts'
import { type Database, withSystem } from '../db/database.ts'

/** A node that has not reported for longer is down. */
const silentMs = 15_000

export async function edgeMetrics(db: Database, totals: EdgeTotals): Promise<string> {
  const rows = await withSystem(db, (tx) =>
    tx.selectFrom('nodes').select(['id', 'name', 'health', 'lastSeenAt']).where('revokedAt', 'is', null).execute(),
  )
  const names = new Map<string, number>()
  for (const { name } of rows) names.set(name, (names.get(name) ?? 0) + 1)
  // Prometheus rejects a scrape that contains the same series twice.
  const nameOf = ({ id, name }: { id: number; name: string }) => (names.get(name) === 1 ? name : `${name} (${id})`)
  const known = new Map(rows.map((row) => [row.id, nameOf(row)]))
  const nodes = rows.map((row): NodeVitals => {
    const health = NodeHealth.partial().safeParse(row.health ?? {}).data
    const isUp = row.lastSeenAt !== null && Date.now() - row.lastSeenAt.getTime() < silentMs
    return { node: nameOf(row), isUp, connections: isUp ? (health?.connections ?? 0) : 0, vitals: health?.vitals }
  })
  return vitalsText(nodes) + totals.text((node) => known.get(node) ?? String(node))
}
