/** An operator with a zone, a group, a node, and customers with sites in the group's feed. */
import type { Database } from '../../db/database.ts'
import { withSystem } from '../../db/database.ts'

export type TestTenants = {
  operatorId: number
  zoneId: number
  groupId: number
  nodeId: number
  customers: { tenantId: number; siteIds: number[]; domainIds: number[] }[]
}

/** Creates `customers` customers with `sitesEach` sites, each with the domains that `makeTraffic` uses. */
export function makeTenants(db: Database, name: string, customers: number, sitesEach: number): Promise<TestTenants> {
  return withSystem(db, async (tx) => {
    const operator = await insertId(tx.insertInto('tenants').values({ kind: 'operator', name }).returning('id'))
    const zoneId = await insertId(tx.insertInto('zones').values({ operatorId: operator, name }).returning('id'))
    const groupId = await insertId(
      tx
        .insertInto('groups')
        .values({ zoneId, name, label: `group-${name}` })
        .returning('id'),
    )
    const productId = await insertId(tx.insertInto('products').values({ operatorId: operator, name }).returning('id'))
    const nodeId = await insertId(
      tx
        .insertInto('nodes')
        .values({
          operatorId: operator,
          zoneId,
          groupId,
          name: `node-${name}`,
          sealKey: Buffer.alloc(32),
          certificateSerial: name,
        })
        .returning('id'),
    )
    await tx
      .insertInto('feeds')
      .values({ groupId, head: customers * sitesEach })
      .execute()
    const made: TestTenants['customers'] = []
    let sequence = 0
    for (let c = 0; c < customers; c++) {
      const customer = { kind: 'customer' as const, operatorId: operator, name: `${name} ${c}` }
      const tenantId = await insertId(tx.insertInto('tenants').values(customer).returning('id'))
      const siteIds: number[] = []
      const domainIds: number[] = []
      for (let s = 0; s < sitesEach; s++) {
        const site = {
          tenantId,
          productId,
          name: `site ${s}`,
          label: `${name}-${c}-${s}`,
          limitations: '{}',
          revision: 1,
        }
        const siteId = await insertId(tx.insertInto('sites').values(site).returning('id'))
        siteIds.push(siteId)
        for (const host of ['www', 'api', 'static']) {
          const domain = { tenantId, siteId, name: `${host}.site${siteId}.example.com`, portMap: '{}', proof: 'p' }
          domainIds.push(await insertId(tx.insertInto('domains').values(domain).returning('id')))
        }
        const entry = { groupId, siteId, sequence: ++sequence, revision: 1, artefact: null, hosts: [] }
        await tx.insertInto('feedEntries').values(entry).execute()
      }
      made.push({ tenantId, siteIds, domainIds })
    }
    return { operatorId: operator, zoneId, groupId, nodeId, customers: made }
  })
}

async function insertId(query: { executeTakeFirstOrThrow(): Promise<{ id: number }> }): Promise<number> {
  return (await query.executeTakeFirstOrThrow()).id
}
