/** Explain: which rule decided a request and the result of each guard, from a reference id or a request id. */

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

/** Opens a reference with any of its group's keys. Returns undefined if it cannot be opened. */
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

/**
 * A row has the time at which its request ended, a reference the time at which it began. Most requests end at once; a
 * slow upload is searched for in a second query, which reads more.
 */
const loggedWithinSeconds = [60, 3600]

/**
 * The log row of a reference, or undefined if no row was kept. It is matched by request id, so it is never another
 * request's row.
 */
export async function rowOfReference(
  events: ClickHouseClient,
  scope: EventScope,
  { requestIdPrefix, site, node, time }: OpenedReference,
): Promise<RequestRow | undefined> {
  const named = {
    sql: 'node = {node:UInt32} AND startsWith(requestId, {requestIdPrefix:String})',
    params: { node, requestIdPrefix },
  }
  for (const seconds of loggedWithinSeconds) {
    const near = spanClause((time - 1) * 1000, (time + seconds) * 1000)
    const rows = await readRows(events, allOf([scopeClause({ ...scope, sites: [site] }), near, named]), 1)
    if (rows[0]) return rows[0]
  }
  return undefined
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

/** A row has all the fields of a reference. */
export function referenceOf({ node, site, revision, guard, rule, cause, time }: RequestRow): Reference {
  return { node, site, revision, guard, rule, cause, time: Math.floor(time) }
}

/**
 * Whether the row is a gRPC call by the edge's own test: it is answered as one in any case, also when the edge refuses
 * it.
 */
export const isCall = ({ method, contentType }: Pick<RequestRow, 'method' | 'contentType'>): boolean =>
  method === 'POST' && /^application\/grpc($|[+;])/.test(contentType)

const guardsOfZone = ['ipset', 'bansOfZone', 'zoneAntiCC'] as const

/** What the zone did with the request: its settings are in no artefact, so the lab cannot evaluate them. */
function zoneOf({ guard, action, cause }: RequestRow): Pick<SimulatedRequest, 'zone'> {
  const own = guardsOfZone.find((name) => name === guard)
  if (own === undefined) return {}
  return { zone: { guard: own, outcome: action === 'challenge' ? 'challenge' : 'block', cause } }
}

/**
 * Rebuilds the request from its row as far as possible: headers that are not logged are missing. `score` is the current
 * score of its address.
 */
export function simulate(row: RequestRow, score: number): SimulatedRequest {
  const headers: Record<string, string> = { host: row.domain }
  if (row.userAgent !== '') headers['user-agent'] = row.userAgent
  if (row.referer !== '') headers.referer = row.referer
  return {
    site: row.site,
    host: row.domain,
    address: row.address,
    scheme: row.scheme === 'http' ? 'http' : 'https',
    method: row.method,
    path: row.path,
    query: row.query,
    headers,
    time: Math.floor(row.time),
    country: row.country,
    score,
    ...(row.asn !== undefined && row.asn > 0 && { asn: row.asn }),
    ...(row.bot && { bot: row.bot }),
    ...zoneOf(row),
    ...(isCall(row) && { isCall: true }),
    isLogged: true,
  }
}
