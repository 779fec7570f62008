/** Whether the control plane works, and the regions of the world. */
import { offlineAfterMs } from '@breakwater/contract/nodes/nodes.ts'
import { system } from '@breakwater/contract/system/health.ts'
import { sql } from 'kysely'
import { identify } from '../auth/identify.ts'
import { pingEvents } from '../events/ping.ts'
import { type Caller, type Feature, implementOpen, implementPublic } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { regions } from './regions.ts'

type Component = { name: string; status: 'ok' | 'degraded' | 'down'; detail: string }

const check = async (name: string, ask: () => Promise<unknown>): Promise<Component> => {
  try {
    await ask()
    return { name, status: 'ok', detail: '' }
  } catch (error) {
    return { name, status: 'down', detail: (error as Error).message.slice(0, 200) }
  }
}

/**
 * Nodes in use and whether they reported recently: if none did, nothing is served; if some did not, it is degraded. The
 * caller sees only names of its own operator's nodes, in the zones that it manages.
 */
async function nodesOf({ database }: Services, caller?: Caller): Promise<Component> {
  const seen = sql<boolean>`coalesce(last_seen_at > now() - make_interval(secs => ${offlineAfterMs / 1000}), false)`
  const rows = await database.db
    .selectFrom('nodes')
    .select(['name', 'operatorId', 'zoneId', seen.as('online')])
    .where('revokedAt', 'is', null)
    .where('groupId', 'is not', null)
    .where('status', '=', 1)
    .execute()
  const away = rows.filter((row) => !row.online)
  const named = away
    .filter(({ operatorId }) => caller?.tier === 'client' && operatorId === caller.tenantId)
    .filter(({ zoneId }) => caller?.zoneIds?.includes(zoneId) ?? true)
    .map(({ name }) => name)
  // A group without a node serves nobody, whatever the others do.
  const { empty } = await database.db
    .selectFrom('groups')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('nodes')
            .select('nodes.id')
            .whereRef('nodes.groupId', '=', 'groups.id')
            .where('nodes.revokedAt', 'is', null)
            .where('nodes.status', '=', 1),
        ),
      ),
    )
    .select((on) => on.fn.countAll<number>().as('empty'))
    .executeTakeFirstOrThrow()
  const status = away.length === 0 ? (empty > 0 ? 'degraded' : 'ok') : away.length === rows.length ? 'down' : 'degraded'
  return { name: 'nodes', status, detail: named.length === 0 ? '' : `not reporting: ${named.slice(0, 20).join(', ')}` }
}

const worst = (parts: Component[]): Component['status'] =>
  parts.some((part) => part.status === 'down')
    ? 'down'
    : parts.some((part) => part.status === 'degraded')
      ? 'degraded'
      : 'ok'

/** The state of each component that the product depends on. Details are for a caller who may read them. */
export async function healthOf(services: Services, caller?: Caller) {
  const { database, events } = services
  const components = await Promise.all([
    check('database', () => sql`select 1`.execute(database.db)),
    check('events', () => pingEvents(events)),
    nodesOf(services, caller).catch((): Component => ({ name: 'nodes', status: 'down', detail: 'unknown' })),
  ])
  return { status: worst(components), components }
}

export function systemFeature(services: Services): Feature {
  const { health, regions: regionsCall } = system
  return [
    ...implementPublic(
      { health },
      {
        async health({ request, reply }) {
          const caller = await readerOf(services, request.headers.authorization, request.ip)
          const { status, components } = await healthOf(services, caller)
          if (status === 'down') reply.code(503)
          return { status, components: caller ? components : components.map((part) => ({ ...part, detail: '' })) }
        },
      },
    ),
    ...implementOpen(
      { regions: regionsCall },
      {
        async regions({ reply }) {
          reply.header('cache-control', 'private, max-age=86400')
          return regions()
        },
      },
    ),
  ]
}

/** A person's session or an API token with the permission: a monitor has its own token. */
async function readerOf(
  { database }: Services,
  authorization: string | undefined,
  address: string,
): Promise<Caller | undefined> {
  if (!authorization) return undefined
  try {
    const caller = await identify(database.db, authorization, undefined, address)
    return caller.permissions.has('health.read') && !caller.mustChangePassword ? caller : undefined
  } catch {
    // A health check with a stale token still gets the plain status.
    return undefined
  }
}
