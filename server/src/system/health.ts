/** Whether the control plane serves, and the regions of the world. */
import { system } from '@breakwater/contract/system/health.ts'
import { sql } from 'kysely'
import { callerOfToken } from '../auth/sessions.ts'
import { bearerOf } from '../auth/sign-in.ts'
import { withSystem } from '../db/database.ts'
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

/** The state of each part the control plane stands on. */
export async function healthOf({ database, events }: Services) {
  const components = await Promise.all([
    check('database', () => sql`select 1`.execute(database.db)),
    check('events', async () => {
      const answer = await events.ping()
      if (!answer.success) throw answer.error
    }),
  ])
  return { status: components.every((part) => part.status === 'ok') ? ('ok' as const) : ('down' as const), components }
}

export function systemFeature(services: Services): Feature {
  const { health, regions: regionsCall } = system
  return [
    ...implementPublic(
      { health },
      {
        async health({ request, reply }) {
          const { status, components } = await healthOf(services)
          if (status !== 'ok') reply.code(503)
          const mayKnow = await callerOf(services, request.headers.authorization)
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

async function callerOf({ database }: Services, authorization: string | undefined): Promise<boolean> {
  if (!authorization) return false
  try {
    const caller = await withSystem(database.db, (db) => callerOfToken(db, bearerOf(authorization), undefined))
    return caller.permissions.has('health.read')
  } catch {
    // A health check with a stale token still gets the plain status.
    return false
  }
}
