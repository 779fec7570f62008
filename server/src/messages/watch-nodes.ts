/** A job: notifies operators of nodes that stopped reporting, and of nodes that are back. */
import { type Database, withSystem } from '../db/database.ts'
import type { Services } from '../process/services.ts'
import { notify } from './notify.ts'

/** A node reports every second; this long without a report is not a hiccup. */
const awayAfterMs = 120_000

export async function watchNodes({ database }: Pick<Services, 'database'>, now = Date.now()): Promise<void> {
  await withSystem(database.db, async (db) => {
    const rows = await nodesThatTurned(db, now)
    for (const { id, name, operatorId, lastSeenAt, awaySince } of rows) {
      const isBack = awaySince !== null
      const since = awaySince ?? lastSeenAt ?? new Date(now)
      const minutes = String(Math.max(1, Math.round((now - since.getTime()) / 60_000)))
      await db
        .updateTable('nodes')
        .set({ awaySince: isBack ? null : since })
        .where('id', '=', id)
        .execute()
      const event = isBack ? 'nodeBack' : 'nodeAway'
      await notify(db, { event, tenantId: operatorId, about: `node/${id}`, values: { node: name, minutes } })
    }
  })
}

/** Nodes in use that went away or came back and whose `awaySince` does not show it yet. */
function nodesThatTurned(db: Database, now: number) {
  const limit = new Date(now - awayAfterMs)
  return db
    .selectFrom('nodes')
    .select(['id', 'name', 'operatorId', 'lastSeenAt', 'awaySince'])
    .where('revokedAt', 'is', null)
    .where('groupId', 'is not', null)
    .where((on) =>
      on.or([
        on.and([on('awaySince', 'is', null), on('lastSeenAt', '<', limit)]),
        on.and([on('awaySince', 'is not', null), on('lastSeenAt', '>=', limit)]),
      ]),
    )
    .forUpdate()
    .execute()
}
