/** The operator's side of announcements: content, order and schedule. */

import { announcementsMax, announcements as calls } from '@breakwater/contract/announcements/announcements.ts'
import type { Database } from '../db/database.ts'
import { lockTenant } from '../db/owner-lock.ts'
import { countOf, onePage } from '../db/paging.ts'
import { Fault } from '../http/fault.ts'
import { type Caller, type Feature, implement, implementOpen } from '../http/implement.ts'
import { textFor } from './texts.ts'

type Form = {
  texts: object
  level: 'info' | 'warn' | 'critical'
  ordinal: number
  running: boolean
  startTime: number | null
  endTime: number | null
}

const momentOf = (ms: number | null) => (ms === null ? null : new Date(ms))
const rowOf = ({ texts, level, ordinal, running, startTime, endTime }: Form) => ({
  texts: JSON.stringify(texts),
  level,
  ordinal,
  running,
  startTime: momentOf(startTime),
  endTime: momentOf(endTime),
})

type Timed = { running: boolean; startTime: Date | null; endTime: Date | null }
function stateOf({ running, startTime, endTime }: Timed): 'shown' | 'waiting' | 'over' | 'off' {
  const now = Date.now()
  if (!running) return 'off'
  if (endTime && endTime.getTime() <= now) return 'over'
  return startTime && startTime.getTime() > now ? 'waiting' : 'shown'
}

/** Removes those of these announcements that the caller's tenant has, and returns their titles. Ignores other ids. */
async function removeAll(db: Database, caller: Caller, ids: number[]) {
  const wanted = [...new Set(ids)]
  const gone = await db
    .deleteFrom('announcements')
    .where('id', 'in', wanted)
    .where('tenantId', '=', caller.tenantId)
    .returning(['id', 'texts'])
    .execute()
  return gone.map(({ id, texts }) => ({ id, title: textFor(texts, undefined).title }))
}

const count = async (db: Database, caller: Caller): Promise<number> => {
  return countOf(db.selectFrom('announcements').where('tenantId', '=', caller.tenantId))
}

/** Readers are counted only up to this number. */
const readersMax = 10_000

const rowsOf = (db: Database, caller: Caller, { page, pageSize }: { page: number; pageSize: number }) =>
  db
    .selectFrom('announcements')
    .selectAll()
    .select((on) =>
      on
        .selectFrom(
          on
            .selectFrom('announcementReads')
            .select('accountId')
            .whereRef('announcementId', '=', 'announcements.id')
            .limit(readersMax)
            .as('readers'),
        )
        .select((every) => every.fn.countAll<number>().as('n'))
        .as('readCount'),
    )
    .where('tenantId', '=', caller.tenantId)
    .orderBy('ordinal')
    .orderBy('id', 'desc')
    .$call(onePage({ page, pageSize }))
    .execute()

export function announcementsFeature(): Feature {
  const { list, ...writes } = calls
  return [
    ...implementOpen(
      { list },
      {
        async list({ transact, caller, query, request }) {
          const [rows, total] = await transact(
            async (db) => [await rowsOf(db, caller, query), await count(db, caller)] as const,
          )
          const data = rows.map(({ tenantId: _, ...row }) => ({
            ...row,
            ...textFor(row.texts, request.headers['accept-language']),
            state: stateOf(row),
            readCount: row.readCount ?? 0,
            startTime: row.startTime?.toISOString() ?? null,
            endTime: row.endTime?.toISOString() ?? null,
            createdAt: row.createdAt.toISOString(),
          }))
          return { data, total }
        },
      },
    ),
    ...implement(writes, {
      async create({ db, caller, body, audit }) {
        await lockTenant(db, caller.tenantId)
        if ((await count(db, caller)) >= announcementsMax) throw new Fault('itemsExceedLimit')
        audit.detail = { after: { name: textFor(body.texts, undefined).title, ...body } }
        return db
          .insertInto('announcements')
          .values({ ...rowOf(body), tenantId: caller.tenantId })
          .returning('id')
          .executeTakeFirstOrThrow()
      },

      async update({ db, caller, body, audit }) {
        const { id, showAgain, ...form } = body
        const before = await db
          .selectFrom('announcements')
          .selectAll()
          .where('id', '=', id)
          .where('tenantId', '=', caller.tenantId)
          .forUpdate()
          .executeTakeFirst()
        if (!before) throw new Fault('permissionDenied')
        await db.updateTable('announcements').set(rowOf(form)).where('id', '=', id).execute()
        if (showAgain) await db.deleteFrom('announcementReads').where('announcementId', '=', id).execute()
        const { texts, level, ordinal, running, startTime, endTime } = before
        audit.detail = {
          id,
          before: { texts, level, ordinal, running, startTime, endTime },
          after: { ...form, startTime: momentOf(form.startTime), endTime: momentOf(form.endTime) },
        }
      },

      async remove({ db, caller, body, audit }) {
        audit.detail = { removed: await removeAll(db, caller, [body.id]) }
      },

      async removeMany({ db, caller, body, audit }) {
        audit.detail = { removed: await removeAll(db, caller, body.ids) }
      },
    }),
  ]
}
