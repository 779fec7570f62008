/** The vendor's licences in the database. */

import { type LicenseLimits, unlimited } from '@breakwater/contract/licenses/document.ts'
import type { licenseStatuses } from '@breakwater/contract/licenses/licenses.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { containing, countOf, onePage } from '../db/paging.ts'
import { Fault, fieldFault } from '../http/fault.ts'

export type LicenseKind = 'online' | 'offline'
type Status = (typeof licenseStatuses)[number]

const statusOf = sql<Status>`case when licenses.revoked_at is not null then 'revoked'
  when licenses.expires_at <= now() then 'expired' when licenses.key is null then 'draft' else 'issued' end`

type Query = { page: number; pageSize: number; name?: string | undefined; status?: Status | undefined }

function filtered(db: Database, kind: LicenseKind, query: Query) {
  let rows = db
    .selectFrom('licenses')
    .leftJoin('accounts', 'accounts.id', 'licenses.userId')
    .where('licenses.kind', '=', kind)
  if (query.status) rows = rows.where(sql<boolean>`${statusOf} = ${query.status}`)
  if (query.name) {
    const text = containing(query.name)
    rows = rows.where((on) => on.or([on('licenses.name', 'ilike', text), on('accounts.name', 'ilike', text)]))
  }
  return rows
}

/** One page, newest first, and the total. */
export async function listLicenses(db: Database, kind: LicenseKind, query: Query) {
  const rows = await filtered(db, kind, query)
    .select(['licenses.id', 'licenses.userId', 'accounts.name as userName', 'licenses.name', 'licenses.key'])
    .select(['licenses.type', 'licenses.limits', 'licenses.createdAt', 'licenses.issuedAt', 'licenses.expiresAt'])
    .select(['licenses.installation', 'licenses.registeredAt', statusOf.as('status')])
    .orderBy('licenses.createdAt', 'desc')
    .orderBy('licenses.id', 'desc')
    .$call(onePage(query))
    .execute()
  const total = await countOf(filtered(db, kind, query))
  const data = rows.map(({ userId, userName, expiresAt, limits, installation, registeredAt, ...row }) => ({
    ...row,
    userID: userId,
    userName: userName ?? '',
    limits,
    nodeCount: limits.nodes,
    createdAt: row.createdAt.toISOString(),
    issuedAt: row.issuedAt?.toISOString() ?? null,
    expiredAt: expiresAt.toISOString(),
    ...(kind === 'offline' ? { installation, registeredAt: registeredAt?.toISOString() ?? null } : {}),
  }))
  return { data, total }
}

/** Converts the limits of a form into those of the document. */
export const limitsOf = ({
  nodeCount,
  limits,
}: {
  nodeCount: number | null
  limits: Omit<LicenseLimits, 'nodes'>
}): LicenseLimits => ({ ...unlimited, ...limits, nodes: nodeCount })

/** The operator that a licence is issued to. */
export const findOperator = (db: Database, userId: number) =>
  db
    .selectFrom('accounts')
    .select(['id', 'name', 'account'])
    .where('id', '=', userId)
    .where('tier', '=', 'client')
    .executeTakeFirst()

/** As `findOperator`, but throws 101003 at `userID` if there is none. */
export async function requireOperator(db: Database, userId: number) {
  const holder = await findOperator(db, userId)
  if (!holder) throw fieldFault('userID', 'notFound')
  return holder
}

/** A licence of the vendor, locked. Throws 101022 if there is none. */
export async function requireLicense(db: Database, id: number, kind: LicenseKind) {
  const row = await db
    .selectFrom('licenses')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Fault('licenseMissing')
  return row
}

/** Those of the licences that exist, locked. */
export const lockLicenses = (db: Database, ids: number[], kind: LicenseKind) =>
  db
    .selectFrom('licenses')
    .selectAll()
    .where('id', 'in', ids)
    .where('kind', '=', kind)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Deletes the licences and returns their ids. */
export async function removeLicenses(db: Database, rows: { id: number }[]): Promise<number[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('licenses').where('id', 'in', ids).execute()
  return ids
}

export type LicenseRow = Awaited<ReturnType<typeof requireLicense>>
