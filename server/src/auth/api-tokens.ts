/** Creates, lists and removes the caller's API tokens. */

import { apiTokenPrefix, apiTokens, apiTokensMax } from '@breakwater/contract/auth/api-tokens.ts'
import type { Database } from '../db/database.ts'
import { lockAccount } from '../db/owner-lock.ts'
import { countOf, onePage } from '../db/paging.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implement } from '../http/implement.ts'
import { notify } from '../messages/notify.ts'
import { hashToken, newToken } from './tokens.ts'

/** How many characters of a token stay readable: enough to tell two apart, far too few to guess the rest. */
const shownChars = 10

async function requireSites(db: Database, siteIds: number[]): Promise<void> {
  const rows = await db
    .selectFrom('sites')
    .select('id')
    .where('id', 'in', siteIds)
    .where('removedAt', 'is', null)
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  const missing = siteIds.findIndex((id) => !known.has(id))
  if (missing >= 0) throw fieldFault(`siteIDs.${missing}`, 'unknownSite')
}

/** A person's tokens. A token only sees itself, because the others may reach what it may not. */
const tokensOf = (db: Database, { accountId, apiToken }: Caller) => {
  const own = db.selectFrom('apiTokens').where('accountId', '=', accountId)
  return apiToken ? own.where('id', '=', apiToken.id) : own
}

const countTokens = async (db: Database, caller: Caller): Promise<number> => {
  return countOf(tokensOf(db, caller))
}

export function apiTokensFeature(): Feature {
  return implement(apiTokens, {
    async list({ db, caller, query }) {
      const rows = await tokensOf(db, caller)
        .selectAll()
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .$call(onePage(query))
        .execute()
      const data = rows.map((row) => ({
        id: row.id,
        name: row.name,
        token: `${row.prefix}…`,
        memo: row.memo,
        permissions: row.permissions,
        siteIDs: row.siteIds,
        cidrs: row.cidrs,
        createdAt: row.createdAt.toISOString(),
        expiredAt: row.expiresAt?.toISOString() ?? null,
        lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
      }))
      return { data, total: await countTokens(db, caller) }
    },

    async create({ db, caller, body, address, audit }) {
      const { name, memo, expiredAt, permissions, siteIDs, cidrs } = body
      const above = permissions?.findIndex((key) => !caller.permissions.has(key)) ?? -1
      if (above >= 0) throw fieldFault(`permissions.${above}`, 'exceedsYours', 'permissionDenied')
      if (expiredAt !== null && Date.parse(expiredAt) <= Date.now()) throw fieldFault('expiredAt', 'wrongFormat')
      if (siteIDs) await requireSites(db, siteIDs)
      await lockAccount(db, caller.accountId)
      if ((await countTokens(db, caller)) >= apiTokensMax) throw new Fault('itemsExceedLimit')
      const token = `${apiTokenPrefix}${newToken()}`
      const { id } = await db
        .insertInto('apiTokens')
        .values({
          tenantId: caller.tenantId,
          accountId: caller.accountId,
          name,
          memo,
          tokenHash: hashToken(token),
          prefix: token.slice(0, shownChars),
          permissions,
          siteIds: siteIDs,
          cidrs,
          expiresAt: expiredAt,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { tenantId, accountId } = caller
      const values = { token: name, address }
      await notify(db, { event: 'apiTokenCreated', tenantId, accountId, about: `token/${id}`, values })
      audit.detail = { id, after: body }
      return { id, name, token }
    },

    async remove({ db, caller, body, audit }) {
      const rows = await db
        .deleteFrom('apiTokens')
        .where('accountId', '=', caller.accountId)
        .where('id', 'in', body.ids)
        .returning(['id', 'name'])
        .execute()
      // Tokens that are already gone or belong to somebody else are ignored: to this person they do not exist.
      audit.detail = { before: rows }
    },
  })
}
