/** Builds a document from logged requests, for a person to review before uploading it. */
import { type ShieldDraft, shieldDocumentBytesMax } from '@breakwater/contract/firewall/api-shield.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { allOf } from '../events/clause.ts'
import { scopeClause } from '../events/scope.ts'
import { queryRows } from '../events/store.ts'
import { spanClause } from '../logs/log-rows.ts'
import { type LoggedPath, templatesOf } from './templates.ts'

const spanMs = 7 * 86_400_000
const pathsMax = 5000
const operationsMax = 500
/** Methods whose bodies the log cannot describe. */
const sending = ['post', 'put', 'patch', 'delete']

export async function draftOf(events: ClickHouseClient, site: number, name: string): Promise<ShieldDraft> {
  const now = Date.now()
  const { sql, params } = allOf([
    scopeClause({ sites: [site], domains: null, zones: null }),
    spanClause(now - spanMs, now + 60_000),
  ])
  const rows = await queryRows<LoggedPath>(
    events,
    `SELECT lower(method) AS verb, path, sum(weight) AS requests,
  groupUniqArrayArray(100)(extractURLParameterNames(concat('http://site/?', query))) AS names
FROM requests_raw_v1 AS r
WHERE ${sql} AND status >= 200 AND status < 400 AND action IN ('pass', 'observe', 'allow')
  AND verb IN ('get', 'put', 'post', 'delete', 'patch')
GROUP BY verb, path ORDER BY requests DESC, path, verb LIMIT {limit:UInt32}`,
    { ...params, limit: pathsMax },
  )
  return documentOf(rows, name)
}

/** The most requested operations, as many as fit into a document. */
export function documentOf(rows: readonly LoggedPath[], name: string): ShieldDraft {
  const templates = templatesOf(rows).slice(0, operationsMax)
  const requests = templates.reduce((sum, one) => sum + one.requests, 0)
  for (let count = templates.length; count > 0; count = Math.floor(count * 0.8)) {
    const document = textOf(templates.slice(0, count), name)
    if (Buffer.byteLength(document) <= shieldDocumentBytesMax) return { document, requests, operations: count }
  }
  return { document: '', requests: 0, operations: 0 }
}

function textOf(templates: ReturnType<typeof templatesOf>, name: string): string {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { verb, path, gaps, names } of templates) {
    const parameters = [
      ...gaps.map(({ name: gap, schema }) => ({ name: gap, in: 'path', required: true, schema })),
      ...names.map((query) => ({ name: query, in: 'query', schema: { type: 'string' } })),
    ]
    paths[path] ??= {}
    paths[path][verb] = {
      ...(parameters.length > 0 && { parameters }),
      ...(sending.includes(verb) && { requestBody: { content: { '*/*': {} } } }),
      responses: { default: { description: 'as logged' } },
    }
  }
  const sorted = Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)))
  const document = { openapi: '3.1.0', info: { title: name, version: 'draft' }, paths: sorted }
  return JSON.stringify(document, null, 2)
}
