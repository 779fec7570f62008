/** The JWKS of a group: its API calls, and how its keys reach nodes. */
import { type JwksChange, jwks } from '@breakwater/contract/authentication/jwks.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { fieldFault, gone } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import { keepGroup } from './group-secrets.ts'
import { JwksProblem, readJwks } from './token-keys.ts'

/** Wakes the job that fetches what is due. */
export const jwksChannel = 'jwks'

async function requireGroup(db: Database, siteId: number, groupId: number): Promise<void> {
  const row = await db
    .selectFrom('authGroups')
    .select('id')
    .where('siteId', '=', siteId)
    .where('id', '=', groupId)
    .where('type', '=', 'jwt')
    .executeTakeFirst()
  if (!row) throw gone()
}

/** The pasted keys; empty if there are none or a URL is set. */
function pastedKeys({ url, keys }: JwksChange) {
  if (keys.trim() === '') return []
  if (url !== '') throw fieldFault('keys', 'wrongFormat')
  try {
    return readJwks(keys)
  } catch (error) {
    if (error instanceof JwksProblem) throw fieldFault('keys', error.reason)
    throw error
  }
}

const none = { url: '', issuer: '', audience: '', triedAt: null, fetchedAt: null, problem: '' } as const

export function jwksFeature({ publisher, vault }: Services): Feature {
  return implement(jwks, {
    async get({ db, siteId, groupId }) {
      const { id } = await requireSite(db, siteId)
      await requireGroup(db, id, groupId)
      const row = await db.selectFrom('authJwks').selectAll().where('groupId', '=', groupId).executeTakeFirst()
      if (!row) return { ...none, claims: [], found: [] }
      const { url, issuer, audience, claims, keys, triedAt, fetchedAt, problem } = row
      return {
        ...{ url, issuer, audience, claims, problem },
        found: keys.map(({ kid, algorithm }) => ({ kid, algorithm })),
        triedAt: triedAt?.toISOString() ?? null,
        fetchedAt: fetchedAt?.toISOString() ?? null,
      }
    },

    async update(call) {
      const { groupId, body } = call
      await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
        await requireGroup(db, site.id, groupId)
        const pasted = pastedKeys(body)
        const before = await db.selectFrom('authJwks').selectAll().where('groupId', '=', groupId).executeTakeFirst()
        await db.deleteFrom('authJwks').where('groupId', '=', groupId).execute()
        const { url, issuer, audience, claims } = body
        if (url !== '' || pasted.length > 0) {
          // If the URL is unchanged, the keys fetched from it are kept.
          const stays = url !== '' && before?.url === url
          const row = { groupId, tenantId: site.tenantId, url, issuer, audience, claims: JSON.stringify(claims) }
          const known = stays ? { triedAt: before.triedAt, fetchedAt: before.fetchedAt, problem: before.problem } : {}
          const keys = JSON.stringify(stays ? before.keys : pasted)
          await db
            .insertInto('authJwks')
            .values({ ...row, ...known, keys })
            .execute()
        }
        await keepGroup(db, vault, site, groupId)
      })
      await sql`select pg_notify(${jwksChannel}, '')`.execute(call.db)
    },
  })
}
