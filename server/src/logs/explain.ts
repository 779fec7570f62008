/** Explain: which rule decided a request and what each guard said, from a reference id or a request id. */

import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import type { Reference, SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { type Database, withSystem } from '../db/database.ts'
import { allOf } from '../events/clause.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import { readGroupKeys } from '../secrets/store.ts'
import type { Vault } from '../secrets/vault.ts'
import { readRows, spanClause } from './log-rows.ts'
import { groupOfReference, type OpenedReference, openReference } from './reference.ts'

/** Opens a reference with any of its group's keys, or nothing. */
export function readReference(db: Database, vault: Vault, text: string): Promise<OpenedReference | undefined> {
  return withSystem(db, async (tx) => {
    const group = groupOfReference(text)
    if (group === undefined) return undefined
    for (const { key } of await readGroupKeys(tx, vault, group)) {
      const opened = openReference(text, key)
      if (opened) return opened
    }
    return undefined
  })
}

/** Long uploads are logged when they end, well after they were refused. */
const loggedWithinSeconds = 60
const candidatesMax = 200

/**
 * The log row of a reference. A node that takes the nonce from the request id names it exactly; else it is the nearest
 * row of that rule and second, but only where all that could be meant ask for the same thing from the same address.
 */
export async function rowOfReference(
  events: ClickHouseClient,
  scope: EventScope,
  { nonce, site, node, revision, guard, rule, cause, time }: OpenedReference,
): Promise<RequestRow | undefined> {
  const decided = {
    sql: 'node = {node:UInt32} AND revision = {revision:UInt32} AND guard = {guard:String} AND rule = {rule:UInt32} AND cause = {cause:UInt16}',
    params: { node, revision, guard, rule, cause },
  }
  const near = spanClause((time - 1) * 1000, (time + loggedWithinSeconds) * 1000)
  const where = allOf([scopeClause({ ...scope, sites: [site] }), near, decided])
  const rows = await readRows(events, where, candidatesMax, 0, { by: 'time', direction: 'asc' })
  const named = rows.find((row) => row.requestId.startsWith(nonce.toString('hex')))
  const first = rows[0]
  if (named || !first) return named
  const meant = rows.filter((row) => row.time < time + 2)
  return meant.every((row) => row.address === first.address && row.path === first.path && row.domain === first.domain)
    ? first
    : undefined
}

export async function rowOfRequest(
  events: ClickHouseClient,
  scope: EventScope,
  requestId: string,
): Promise<RequestRow | undefined> {
  if (scope.sites.length === 0) return undefined
  const named = { sql: 'requestId = {requestId:String}', params: { requestId } }
  const rows = await readRows(events, allOf([scopeClause(scope), named]), 1)
  return rows[0]
}

/** A row says as much as a reference does. */
export function referenceOf({ node, site, revision, guard, rule, cause, time }: RequestRow): Reference {
  return { node, site, revision, guard, rule, cause, time: Math.floor(time) }
}

/** The request that a row tells of, as far as a row does: headers that are not logged are missing. */
export function simulate(row: RequestRow): SimulatedRequest {
  const headers: Record<string, string> = { host: row.domain }
  if (row.userAgent !== '') headers['user-agent'] = row.userAgent
  if (row.referer !== '') headers.referer = row.referer
  return {
    site: row.site,
    host: row.domain,
    address: row.address,
    method: row.method,
    path: row.path,
    query: row.query,
    headers,
    time: Math.floor(row.time),
    country: row.country,
  }
}
