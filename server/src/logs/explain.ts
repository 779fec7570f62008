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

/**
 * A row has the time at which its request ended, a reference that at which it began. Nearly all end at once; an upload
 * that was sent slowly is looked for in a second query, which reads more.
 */
const loggedWithinSeconds = [60, 3600]

/** The log row of a reference, or nothing where no row was kept. The request id decides, so it is never another's row. */
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

/** A row says as much as a reference does. */
export function referenceOf({ node, site, revision, guard, rule, cause, time }: RequestRow): Reference {
  return { node, site, revision, guard, rule, cause, time: Math.floor(time) }
}

/** Whether it is a gRPC call, as the edge knows one: a call is answered as one in any case, also where the edge refuses it. */
export const isCall = ({ method, contentType }: Pick<RequestRow, 'method' | 'contentType'>): boolean =>
  method === 'POST' && /^application\/grpc($|[+;])/.test(contentType)

const guardsOfZone = ['ipset', 'bansOfZone', 'zoneAntiCC'] as const

/** What the zone made of it: its settings are in no artefact, so nobody asks them anew. */
function zoneOf({ guard, action, cause }: RequestRow): Pick<SimulatedRequest, 'zone'> {
  const own = guardsOfZone.find((name) => name === guard)
  if (own === undefined) return {}
  return { zone: { guard: own, outcome: action === 'challenge' ? 'challenge' : 'block', cause } }
}

/** The request that a row tells of, as far as a row does: headers that are not logged are missing. `score`: of its address now. */
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
