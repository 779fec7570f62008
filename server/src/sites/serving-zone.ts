/** Where the sites of a product are served. */
import type { Database } from '../db/database.ts'
import { publicAddressesOf } from '../nodes/public-addresses.ts'
import { isPublicAddress } from '../outbound/guard.ts'

/** Nobody enters more records than this by hand; an operator with this many nodes has a DNS zone. */
const nodesMax = 20

export type SitePlace = {
  zoneId: number
  zoneName: string
  groupLabel: string
  /** The addresses at which visitors reach the nodes of the group, public ones first. Never empty. */
  addresses: string[]
  /** Whether none of them can be reached from the internet. */
  addressesArePrivate: boolean
}

/**
 * The first main group, its zone, and the addresses of the nodes that serve the site: those of the backup group if the
 * operator chose it for the site. Customers' CNAME always uses the main group's label. Runs as the system.
 */
export async function placeOf(
  db: Database,
  site: { productId: number; forceBackup: boolean },
): Promise<SitePlace | undefined> {
  const groups = await db
    .selectFrom('productGroups')
    .innerJoin('groups', 'groups.id', 'productGroups.groupId')
    .innerJoin('zones', 'zones.id', 'groups.zoneId')
    .select(['zones.id as zoneId', 'zones.name as zoneName', 'groups.id as groupId', 'groups.label as groupLabel'])
    .where('productGroups.productId', '=', site.productId)
    .orderBy('groups.isBackup')
    .orderBy('groups.id')
    .select('groups.isBackup')
    .execute()
  const [main] = groups
  if (!main) return undefined
  const { groupId: mainId, isBackup: _, ...rest } = main
  const groupId = (site.forceBackup ? groups.find(({ isBackup }) => isBackup)?.groupId : undefined) ?? mainId
  const nodes = await db
    .selectFrom('nodes')
    .select(['ip', 'publicAddresses', 'health'])
    .where('groupId', '=', groupId)
    .where('revokedAt', 'is', null)
    .where('status', '=', 1)
    .orderBy('id')
    .limit(nodesMax)
    .execute()
  const all = [...new Set(nodes.flatMap((node) => publicAddressesOf(node).used))]
  const reachable = all.filter(isPublicAddress)
  // If a node has a public address, those without one are of no use to visitors.
  const addresses = reachable.length > 0 ? reachable : all.length > 0 ? all : ['127.0.0.1']
  return { ...rest, addresses, addressesArePrivate: reachable.length === 0 }
}
