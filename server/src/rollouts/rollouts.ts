/** The operator's view of roll-outs. */

import { rollouts } from '@breakwater/contract/nodes/rollouts.ts'
import type { Database } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { type Feature, implement } from '../http/implement.ts'

export function rolloutsFeature(): Feature {
  return implement(rollouts, {
    async list({ db, query }) {
      const { page, pageSize, state } = query
      const chosen = db
        .selectFrom('rollouts')
        .$if(state !== undefined, (asked) => asked.where('rollouts.state', '=', state!))
      const rows = await chosen
        .innerJoin('groups', 'groups.id', 'rollouts.groupId')
        .innerJoin('zones', 'zones.id', 'groups.zoneId')
        .selectAll('rollouts')
        .select(['groups.name as group', 'zones.name as zone'])
        .orderBy('rollouts.id', 'desc')
        .$call(onePage({ page, pageSize }))
        .execute()
      const total = await countOf(chosen)
      const names = await namesOf(db, [...new Set(rows.flatMap((row) => row.nodes))])
      const data = rows.map(({ id, action, summary, actor, zone, group, sites, step, reason, ...row }) => ({
        ...{ id, action, summary, actor, zone, group, sites, step, reason },
        state: row.state,
        nodes: row.nodes.map((node) => names.get(node) ?? `${node}`),
        startedAt: row.startedAt.toISOString(),
        stepAt: row.stepAt.toISOString(),
        endedAt: row.endedAt?.toISOString() ?? null,
      }))
      return { data, total }
    },
  })
}

async function namesOf(db: Database, ids: number[]) {
  const rows =
    ids.length === 0 ? [] : await db.selectFrom('nodes').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
