/** The access log as a file: the rows that the explorer shows under its filter, newest first, read slice by slice. */

import type { Cell } from '@breakwater/contract/csv.ts'
import type { Parsed } from '@breakwater/contract/endpoint.ts'
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import { type logExplorer, logExportMax } from '@breakwater/contract/logs/explorer.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Database } from '../db/database.ts'
import type { EventScope } from '../events/scope.ts'
import { presentRows } from './log-rows.ts'
import { readKeyed } from './row-key.ts'

const sliceRows = 5_000

/** The columns of the file, by their names in the API. */
export const exportColumns = [
  'time',
  'siteID',
  'domainName',
  'clientIP',
  'country',
  'asn',
  'network',
  'bot',
  'method',
  'scheme',
  'httpVersion',
  'url',
  'status',
  'cause',
  'action',
  'guard',
  'rule',
  'wafScore',
  'waf',
  'cache',
  'traffic',
  'requestTime',
  'originTime',
  'originStatus',
  'originFailure',
  'userAgent',
  'referer',
  'contentType',
  'reqID',
  'node',
  'weight',
] as const satisfies readonly (keyof AccessLogRow)[]

type Question = {
  events: ClickHouseClient
  db: Database
  scope: EventScope
  body: Parsed<typeof logExplorer.export>['body']
}

export function readSlice({ events, db, scope, body }: Question, after?: string): Promise<AccessLogRow[]> {
  return readKeyed(events, scope, { ...body, after, limit: sliceRows }).then((rows) => presentRows(db, rows))
}

/** The lines of the file, from a first slice that was already read up to the maximum number of lines. */
export async function* exportLines(question: Question, first: AccessLogRow[]): AsyncGenerator<Cell[]> {
  let slice = first
  for (let sent = 0; ; sent += slice.length) {
    for (const row of slice.slice(0, logExportMax - sent)) yield exportColumns.map((name) => row[name])
    if (slice.length < sliceRows || sent + slice.length >= logExportMax) return
    slice = await readSlice(question, slice.at(-1)!.id)
  }
}
