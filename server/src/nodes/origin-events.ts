/** Changes of origin states in a node's report: stored as events of their domains, and sent to subscribers. */
import type { NodeHealth, OriginState } from '@breakwater/contract/edge/node-api.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { foreignText } from '../db/foreign-text.ts'
import { notify } from '../messages/notify.ts'
import type { NodeIdentity } from './node-identity.ts'

type Change = Pick<OriginState, 'id' | 'state' | 'reason'>
type Known = {
  id: number
  ip: string
  port: number
  tls: boolean
  domainId: number
  domain: string
  siteId: number
  tenantId: number
  operatorId: number | null
}

/** The differences: an origin that is no longer listed, or is listed as up, is used like all others. */
function changesOf(before: readonly OriginState[], now: readonly OriginState[]): Change[] {
  const bad = (list: readonly OriginState[]) =>
    new Map(list.flatMap((one) => (one.state === 'up' ? [] : [[one.id, one]])))
  const [was, is] = [bad(before), bad(now)]
  const begun = [...is.values()].filter(({ id, state }) => was.get(id)?.state !== state)
  const over = [...was.keys()].filter((id) => !is.has(id)).map((id) => ({ id, state: 'up' as const, reason: '' }))
  return [...begun, ...over]
}

const originText = ({ ip, port, tls }: Known) => `${tls ? 'https://' : ''}${ip.includes(':') ? `[${ip}]` : ip}:${port}`

/** Only for origins of sites that the node serves. Absent states mean nothing, for example while nginx is down. */
export async function noteOrigins(
  db: Database,
  node: NodeIdentity,
  before: NodeHealth | null,
  now: NodeHealth | undefined,
): Promise<void> {
  if (now?.origins === undefined || before?.origins === undefined) return
  const changes = new Map(changesOf(before.origins, now.origins).map((change) => [change.id, change]))
  if (changes.size === 0) return
  const { rows } = await sql<Known>`
    select distinct u.id, u.ip, u.port, u.tls, d.id as domain_id, d.name as domain, d.site_id, d.tenant_id, t.operator_id
    from upstreams u join domains d on d.id = u.domain_id join tenants t on t.id = d.tenant_id
    join feed_entries f on f.site_id = d.site_id and f.group_id = ${node.groupId ?? 0}
    where u.id = any(${[...changes.keys()]}::int[])`.execute(db)
  for (const known of rows) {
    const { state, reason } = changes.get(known.id)!
    const event = { origin: originText(known), node: node.name, state, reason: foreignText(reason, 16) }
    const { id: upstreamId, siteId, domainId, tenantId, operatorId } = known
    await db
      .insertInto('originEvents')
      .values({ ...event, tenantId, siteId, domainId, upstreamId })
      .execute()
    const values = { origin: event.origin, domain: known.domain, node: node.name }
    const about = `origin/${upstreamId}`
    for (const told of [tenantId, ...(operatorId === null ? [] : [operatorId])])
      await notify(db, {
        ...{ event: state === 'up' ? 'originBack' : 'originDown', tenantId: told },
        ...{ about, siteIds: [siteId], values },
      })
  }
}
