/** The calls of zones, nodes and purges, mounted as in the product, for callers who need no password. */
import { type Permission, permissions } from '@breakwater/contract/permissions.ts'
import { makeApp } from '../../http/app.ts'
import { Fault } from '../../http/fault.ts'
import type { Caller } from '../../http/implement.ts'
import { mount } from '../../http/mount.ts'
import { nodesFeature } from '../nodes.ts'
import { purgeFeature } from '../purge.ts'
import type { Answer } from './test-node.ts'
import type { World } from './world.ts'

export type Api = {
  call(as: Caller, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answer>
  close(): Promise<void>
}

let sessions = 0

/** Somebody who is signed in, with every permission unless said otherwise. */
export function callerOf(tenantId: number, tier: 'user' | 'client', can: readonly Permission[] = permissions): Caller {
  sessions += 1
  return {
    accountId: sessions,
    accountName: `${tier}-${tenantId}`,
    tenantId,
    tier,
    isRoot: true,
    sessionId: sessions,
    mustChangePassword: false,
    permissions: new Set(can),
  }
}

export async function startApi({ services }: World): Promise<Api> {
  const app = makeApp(services.logger)
  const callers = new Map<string, Caller>()
  mount(app, [nodesFeature(services), purgeFeature(services)], {
    db: services.database.db,
    checksReplies: true,
    requireCurrent: async () => {},
    async identify(authorization, tier) {
      const caller = callers.get(authorization ?? '')
      if (!caller || caller.tier !== tier) throw new Fault('invalidToken')
      return caller
    },
  })
  await app.ready()
  return {
    async call(as, method, path, body) {
      const authorization = String(as.sessionId)
      callers.set(authorization, as)
      const answer = await app.inject({
        method,
        url: `/api/v1${path}`,
        headers: { authorization },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      return { status: answer.statusCode, body: answer.json() }
    },
    close: () => app.close(),
  }
}
