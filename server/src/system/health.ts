/** Whether the control plane serves, and the regions of the world. */
import { offlineAfterMs } from '@breakwater/contract/nodes/nodes.ts'
import { system } from '@breakwater/contract/system/health.ts'
import { sql } from 'kysely'
import { identify } from '../auth/identify.ts'
import { pingEvents } from '../events/ping.ts'
import { type Feature, implementOpen, implementPublic } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
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

/** Nodes at work that have reported lately: with none of them nothing is served, with some missing it is degraded. */
async function nodesOf({ database }: Services): Promise<Component> {
  const seen = sql<boolean>`coalesce(last_seen_at > now() - make_interval(secs => ${offlineAfterMs / 1000}), false)`
  const rows = await database.db
    .selectFrom('nodes')
    .select(['name', seen.as('online')])
    .where('revokedAt', 'is', null)
    .where('groupId', 'is not', null)
    .where('status', '=', 1)
    .execute()
  const away = rows.filter((row) => !row.online).map((row) => row.name)
  const status = away.length === 0 ? 'ok' : away.length === rows.length ? 'down' : 'degraded'
  return { name: 'nodes', status, detail: away.length === 0 ? '' : `not reporting: ${away.slice(0, 20).join(', ')}` }
}

const worst = (parts: Component[]): Component['status'] =>
  parts.some((part) => part.status === 'down')
    ? 'down'
    : parts.some((part) => part.status === 'degraded')
      ? 'degraded'
      : 'ok'

/** The state of each part the product stands on. */
export async function healthOf(services: Services) {
  const { database, events } = services
  const components = await Promise.all([
    check('database', () => sql`select 1`.execute(database.db)),
    check('events', () => pingEvents(events)),
    nodesOf(services).catch((): Component => ({ name: 'nodes', status: 'down', detail: 'unknown' })),
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
          const { status, components } = await healthOf(services)
          if (status === 'down') reply.code(503)
          const mayKnow = await mayKnowDetails(services, request.headers.authorization, request.ip)
          return { status, components: mayKnow ? components : components.map((part) => ({ ...part, detail: '' })) }
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

/** A person's session or a program's token that holds the key: a monitor has a token of its own. */
async function mayKnowDetails(
  { database }: Services,
  authorization: string | undefined,
  address: string,
): Promise<boolean> {
  if (!authorization) return false
  try {
    const caller = await identify(database.db, authorization, undefined, address)
    return caller.permissions.has('health.read') && !caller.mustChangePassword
  } catch {
    // A health check with a stale token still gets the plain status.
    return false
  }
}
