/**
 * Deletes what has expired: tokens, old batch ids, finished tasks, revisions past their retention, and objects that
 * nothing references.
 */
import { banPoints } from '@breakwater/contract/firewall/reputation.ts'
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import type { Services } from '../process/services.ts'

/** Revisions kept per site: the newest hundred, and the last one of each day. */
const revisionsKept = 100
/** Addresses kept per site as input for its reputation: the newest. */
const banNotesKept = 20_000

export async function sweep({ database: { db } }: Services): Promise<Record<string, number>> {
  const count = async (text: ReturnType<typeof sql>) =>
    Number((await withSystem(db, (tx) => text.execute(tx))).numAffectedRows ?? 0)
  return {
    tokens: await count(sql`delete from session_tokens where refresh_expires_at < now()`),
    ssoAttempts: await count(sql`delete from sso_attempts where expires_at < now()`),
    onePassKeys: await count(sql`delete from one_pass_keys where expires_at < now()`),
    failures: await count(sql`delete from sign_in_failures where since < now() - interval '1 day'`),
    enrolTokens: await count(sql`delete from enrol_tokens where expires_at < now() - interval '1 day'`),
    batches: await count(sql`delete from event_batches where at < now() - interval '14 days'`),
    idempotencyKeys: await count(sql`delete from idempotency_keys where created_at < now() - interval '1 day'`),
    originEvents: await count(sql`delete from origin_events where created_at < now() - interval '30 days'`),
    zoneBans: await count(sql`delete from zone_bans where until < now() - interval '1 minute'`),
    bans: await count(sql`delete from bans where until < now() - interval '1 minute'`),
    banNotes: await count(sql`
      delete from ban_notes n using (
        select site_id, address, last_at, row_number() over (partition by site_id order by last_at desc) as place from ban_notes) old
      where n.site_id = old.site_id and n.address = old.address
        and (old.last_at < now() - make_interval(days => ${banPoints.daysMax}) or old.place > ${banNotesKept})`),
    tasks: await count(sql`delete from tasks where created_at < now() - interval '30 days'`),
    revisions: await count(sql`
      delete from revisions r using (
        select site_id, revision,
          row_number() over (partition by site_id order by revision desc) as place,
          row_number() over (partition by site_id, created_at::date order by revision desc) as of_day
        from revisions) old
      where r.site_id = old.site_id and r.revision = old.revision and old.place > ${revisionsKept} and old.of_day > 1`),
    objects: await sweepObjects(db),
  }
}

/**
 * Deletes objects and parts that nothing references any more, under the lock that publishing takes before it references
 * one.
 */
function sweepObjects(db: Database): Promise<number> {
  return withSystem(db, async (tx) => {
    await sql`lock table feeds in exclusive mode`.execute(tx)
    await sql`delete from artefact_objects a where not exists (select from named_entries f where f.artefact = a.artefact)`.execute(
      tx,
    )
    await sql`delete from artefact_requires r where not exists (select from named_entries f where f.artefact = r.artefact)`.execute(
      tx,
    )
    const { numAffectedRows } = await sql`
      delete from objects o where not exists (select from named_entries f where f.artefact = o.hash)
        and not exists (select from artefact_objects a where a.object = o.hash)`.execute(tx)
    return Number(numAffectedRows ?? 0)
  })
}
