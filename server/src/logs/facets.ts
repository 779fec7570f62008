/** The most frequent values of the log's fields, under a filter. */
import type { Parsed } from '@breakwater/contract/endpoint.ts'
import type { FacetField, logExplorer } from '@breakwater/contract/logs/explorer.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { allOf, type Clause } from '../events/clause.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import { queryRows, type ReadLimits } from '../events/store.ts'
import { filterClause } from './log-filter.ts'
import { spanClause } from './log-rows.ts'

type Body = Parsed<typeof logExplorer.facets>['body']
export type Facet = {
  field: FacetField
  total: number
  distinct: number
  values: { value: string; requests: number }[]
}

/**
 * The expression that each field is grouped by, and the one that writes its value in the form that the filter accepts.
 */
const counted: Partial<Record<FacetField, string>> = { host: 'domain', hostPath: 'concat(domain, path)', ip: 'address' }
const written: Partial<Record<FacetField, string>> = { ip: "replaceOne(toString(name), '::ffff:', '')" }

const limits: ReadLimits = { seconds: 10, rows: 50_000_000, bytes: 1_000_000_000 }
/** Fields queried at a time: other queries need the event store too. */
const atOnce = 4

export async function readFacets(events: ClickHouseClient, scope: EventScope, body: Body): Promise<Facet[]> {
  const where = allOf([scopeClause(scope), spanClause(body.startTime, body.endTime), filterClause(body)])
  const facets: Facet[] = []
  for (let i = 0; i < body.fields.length; i += atOnce) {
    const some = body.fields.slice(i, i + atOnce)
    facets.push(...(await Promise.all(some.map((field) => readFacet(events, scope, where, field, body.top)))))
  }
  return facets
}

async function readFacet(
  events: ClickHouseClient,
  scope: EventScope,
  where: Clause,
  field: FacetField,
  top: number,
): Promise<Facet> {
  if (scope.sites.length === 0) return { field, total: 0, distinct: 0, values: [] }
  // Windows are computed before the limit, so they cover all values, not only those shown.
  const rows = await queryRows<{ value: string; requests: number; total: number; kinds: number }>(
    events,
    `SELECT ${written[field] ?? 'toString(name)'} AS value, requests, total, kinds FROM (
      SELECT ${counted[field] ?? field} AS name, sum(weight) AS requests, sum(requests) OVER () AS total, count() OVER () AS kinds
      FROM requests_raw_v1 WHERE ${where.sql} GROUP BY name ORDER BY requests DESC, name LIMIT {top:UInt32})`,
    { ...where.params, top },
    limits,
  )
  return {
    field,
    total: rows[0]?.total ?? 0,
    distinct: rows[0]?.kinds ?? 0,
    values: rows.map(({ value, requests }) => ({ value, requests })),
  }
}
