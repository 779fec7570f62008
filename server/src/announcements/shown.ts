/** The customer's side of announcements: what is shown now, and what has been read. */

import { shownAnnouncements } from '@breakwater/contract/announcements/announcements.ts'
import type { Database } from '../db/database.ts'
import { onePage } from '../db/paging.ts'
import { Fault } from '../http/fault.ts'
import { type Caller, type Feature, implement, implementOpen } from '../http/implement.ts'
import { textFor } from './texts.ts'

/** Row-level security limits the rows to what the caller's operator shows now. */
const shownTo = (db: Database, caller: Caller) =>
  db
    .selectFrom('announcements')
    .leftJoin('announcementReads as reads', (join) =>
      join.onRef('reads.announcementId', '=', 'announcements.id').on('reads.accountId', '=', caller.accountId),
    )

async function counts(
  db: Database,
  caller: Caller,
): Promise<{ total: number; unread: number; first: number | undefined }> {
  const rows = await shownTo(db, caller)
    .select(['announcements.id', 'reads.accountId as readBy'])
    .orderBy('ordinal')
    .orderBy('announcements.id', 'desc')
    .execute()
  const unread = rows.filter(({ readBy }) => readBy === null)
  return { total: rows.length, unread: unread.length, first: unread[0]?.id }
}

export function shownAnnouncementsFeature(): Feature {
  const { list, read } = shownAnnouncements
  return [
    ...implementOpen(
      { list },
      {
        async list({ transact, caller, query, request }) {
          const { rows, total, unread, first } = await transact(async (db) => ({
            ...(await counts(db, caller)),
            rows: await shownTo(db, caller)
              .selectAll('announcements')
              .select('reads.accountId as readBy')
              .orderBy('ordinal')
              .orderBy('announcements.id', 'desc')
              .$call(onePage(query))
              .execute(),
          }))
          const data = rows.map(({ id, texts, level, ordinal, readBy, startTime, createdAt }) => ({
            id,
            ...textFor(texts, request.headers['accept-language']),
            level,
            ordinal,
            running: id === first,
            read: readBy !== null,
            createdAt: (startTime ?? createdAt).toISOString(),
          }))
          return { data, total, unread }
        },
      },
    ),
    ...implement(
      { read },
      {
        async read({ db, caller, body }) {
          const wanted = [...new Set(body.ids)]
          const known = await db.selectFrom('announcements').select('id').where('id', 'in', wanted).execute()
          if (known.length < wanted.length) throw new Fault('permissionDenied')
          const { tenantId, accountId } = caller
          await db
            .insertInto('announcementReads')
            .values(wanted.map((announcementId) => ({ announcementId, tenantId, accountId })))
            .onConflict((on) => on.doNothing())
            .execute()
        },
      },
    ),
  ]
}
