/** Where the sites of a product are served. */
import type { Database } from '../db/database.ts'

/** The first main group, its zone and one of its nodes. Runs as the system. */
export function placeOf(db: Database, productId: number) {
  return db
    .selectFrom('productGroups')
    .innerJoin('groups', 'groups.id', 'productGroups.groupId')
    .innerJoin('zones', 'zones.id', 'groups.zoneId')
    .leftJoin('nodes', (join) => join.onRef('nodes.groupId', '=', 'groups.id').on('nodes.revokedAt', 'is', null))
    .select(['zones.id as zoneId', 'zones.name as zoneName', 'groups.label as groupLabel', 'nodes.ip as nodeIp'])
    .where('productGroups.productId', '=', productId)
    .orderBy('groups.isBackup')
    .orderBy('groups.id')
    .orderBy('nodes.id')
    .executeTakeFirst()
}
