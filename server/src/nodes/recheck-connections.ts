/**
 * Checks open connections against the nodes' rows: revoked and removed nodes are disconnected, moved ones get their new
 * group.
 */
import { withSystem } from '../db/database.ts'
import type { NodeApiParts } from './node-api-parts.ts'

export async function recheckConnections({ services, connections, metrics, logger }: NodeApiParts): Promise<void> {
  const connected = connections.nodeIds()
  if (connected.length === 0) return
  try {
    const rows = await withSystem(services.database.db, (db) =>
      db
        .selectFrom('nodes')
        .select(['id', 'groupId'])
        .where('id', 'in', connected)
        .where('revokedAt', 'is', null)
        .execute(),
    )
    const groups = new Map(rows.map(({ id, groupId }) => [id, groupId]))
    for (const nodeId of connected) {
      const groupId = groups.get(nodeId)
      if (groupId !== undefined) {
        connections.moveStream(nodeId, groupId)
        continue
      }
      connections.cutOff(nodeId)
      metrics.cutOff += 1
      logger.info({ nodeId }, 'node cut off')
    }
  } catch (error) {
    // Retried in seconds; until then every request is still checked individually.
    logger.warn({ err: error }, 'nodes not rechecked')
  }
}
