/** Fetches JWKS URLs when they are due. If a group's keys changed, its site is published again. */
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { guardedFetch } from '../outbound/fetch.ts'
import type { Services } from '../process/services.ts'
import { lockSites } from '../publish/locked-sites.ts'
import { publishSites } from '../publish/publish-sites.ts'
import { keepGroup } from './group-secrets.ts'
import { type JwksKey, JwksProblem, readJwks } from './token-keys.ts'

/** Seconds between two fetches, and after a failed one. */
const everySeconds = 600
const againSeconds = 120
/** Concurrent fetches, and fetches in one run; the next run continues. */
const atOnce = 4
const perRun = 200
const bytesMax = 262_144

type Due = { groupId: number; siteId: number; url: string }
type Parts = Pick<Services, 'database' | 'vault' | 'publisher' | 'guard' | 'logger'>
/** Returns the text at a URL. Throws if the fetch fails. */
export type Ask = (url: string) => Promise<string>

async function asked({ guard }: Parts, url: string): Promise<string> {
  const reply = await guardedFetch(guard, url, { headers: { accept: 'application/json' }, bodyBytesMax: bytesMax })
  if (!reply.ok) throw new Error(`it answered ${reply.status}`)
  return reply.text()
}

/** Claims what is due, so that no other process fetches it at the same time. */
async function takeDue(db: Database): Promise<Due[]> {
  const { rows } = await sql<Due>`
    update auth_jwks j set due_at = now() + make_interval(secs => ${everySeconds})
    from auth_groups g join sites s on s.id = g.site_id and s.removed_at is null
    where g.id = j.group_id and j.group_id in (
      select group_id from auth_jwks where url <> '' and due_at <= now() order by due_at limit ${perRun} for update skip locked)
    returning j.group_id, g.site_id, j.url`.execute(db)
  return rows
}

export async function refreshJwks(parts: Parts, ask: Ask = (url) => asked(parts, url)): Promise<void> {
  const waiting = await withSystem(parts.database.db, takeDue)
  const run = async () => {
    for (let due = waiting.pop(); due; due = waiting.pop()) await refresh(parts, due, ask)
  }
  await Promise.all(Array.from({ length: atOnce }, run))
}

async function refresh(parts: Parts, due: Due, ask: Ask): Promise<void> {
  const { logger } = parts
  try {
    await keepFound(parts, due, readJwks(await ask(due.url)))
  } catch (error) {
    const problem = error instanceof JwksProblem ? error.reason : 'unreachable'
    logger.info({ groupId: due.groupId, siteId: due.siteId, problem, reason: String(error) }, 'no keys of tokens there')
    await withSystem(parts.database.db, (db) =>
      db
        .updateTable('authJwks')
        .set({ problem, triedAt: new Date(), dueAt: sql<Date>`now() + make_interval(secs => ${againSeconds})` })
        .where('groupId', '=', due.groupId)
        .where('url', '=', due.url)
        .execute(),
    )
  }
}

/** Stores the keys. Does nothing if the URL was changed in the meantime. */
async function keepFound({ database, vault, publisher }: Parts, due: Due, keys: JwksKey[]): Promise<void> {
  await withSystem(database.db, async (db) => {
    const [site] = await lockSites(db, [due.siteId])
    const before = await db
      .selectFrom('authJwks')
      .select('keys')
      .where('groupId', '=', due.groupId)
      .where('url', '=', due.url)
      .executeTakeFirst()
    if (!site || !before) return
    const now = new Date()
    await db
      .updateTable('authJwks')
      .set({ keys: JSON.stringify(keys), problem: '', triedAt: now, fetchedAt: now })
      .where('groupId', '=', due.groupId)
      .execute()
    // Sorted, because the order of keys carries no meaning.
    const said = (of: JwksKey[]) => JSON.stringify(of.map(({ kid, algorithm, key }) => [kid, algorithm, key]).sort())
    if (said(before.keys) === said(keys)) return
    await keepGroup(db, vault, site, due.groupId)
    const action = 'site.auth.group.jwks.refreshed'
    await publishSites(db, [site], publisher, { actor: '', action, summary: new URL(due.url).hostname })
  })
}
