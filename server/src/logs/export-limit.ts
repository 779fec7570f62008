/** Limits exports of the log: three at once, and a daily maximum from the account (601001, 601002). */
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import type { Caller } from '../http/implement.ts'

const atOnceMax = 3
/** An export left open by a crashed process counts as running for at most this long. */
const runsFor = '15 minutes'
/** Older exports no longer count towards any limit. */
const keptFor = '3 days'

/** Puts the limit into the message and into `extra`. */
const limitFault = (name: 'simultaneousExportsExceedLimit' | 'dailyExportsExceedLimit', limit: number) =>
  new Fault(name, limit)

/** Records an export; both limits are checked in the same transaction. Days begin in the accounting time zone. */
export function beginExport(db: Database, caller: Caller, timeZone: string): Promise<number> {
  return asSystem(db, async (tx) => {
    const { maxLogExportTimes } = await tx
      .selectFrom('accounts')
      .select('maxLogExportTimes')
      .where('id', '=', caller.accountId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const mine = tx.selectFrom('logExports').where('accountId', '=', caller.accountId)
    const { running, today } = await mine
      .select([
        sql<number>`count(*) filter (where ended_at is null and started_at > now() - ${runsFor}::interval)`.as(
          'running',
        ),
        sql<number>`count(*) filter (where started_at >= date_trunc('day', now(), ${timeZone}))`.as('today'),
      ])
      .executeTakeFirstOrThrow()
    if (running >= atOnceMax) throw limitFault('simultaneousExportsExceedLimit', atOnceMax)
    if (today >= maxLogExportTimes) throw limitFault('dailyExportsExceedLimit', maxLogExportTimes)
    await tx
      .deleteFrom('logExports')
      .where('accountId', '=', caller.accountId)
      .where('startedAt', '<', sql<Date>`now() - ${keptFor}::interval`)
      .execute()
    const { id } = await tx
      .insertInto('logExports')
      .values({ tenantId: caller.tenantId, accountId: caller.accountId })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

export async function endExport(db: Database, id: number): Promise<void> {
  await asSystem(db, (tx) => tx.updateTable('logExports').set({ endedAt: new Date() }).where('id', '=', id).execute())
}
