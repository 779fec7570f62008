/** The event store: ClickHouse, embedded or a cluster, behind one client. */
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { Fault } from '../http/fault.ts'

/** How long a user's query may take. The embedded engine cannot stop a query whose client has disconnected. */
const questionSecondsMax = 20

/** Opens the event store. Connections are opened on demand; no query is sent yet. */
export function openEvents(url: string): ClickHouseClient {
  return createClient({
    url,
    application: 'breakwater',
    max_open_connections: 20,
    request_timeout: 120_000,
    // Inserts are on disk when they are acknowledged, not in a queue of the engine.
    clickhouse_settings: { async_insert: 0 },
    log: { level: ClickHouseLogLevel.OFF },
  })
}

/**
 * The values for a statement's `{name:Type}` placeholders. They are sent separately, never as part of the statement.
 */
export type Params = Record<string, unknown>

/** Limits of a query: seconds, rows read, bytes of memory. */
export type ReadLimits = { seconds: number; rows?: number; bytes?: number }

/** The engine's errors for a query that exceeds its limits. */
const tooMuch = ['TIMEOUT_EXCEEDED', 'TOO_MANY_ROWS', 'MEMORY_LIMIT_EXCEEDED', 'TOO_SLOW']

/**
 * Runs a query and returns its rows. 64-bit numbers are returned as numbers; ours stay below 2^53. A query that takes
 * too long fails with a message that says what helps.
 */
export async function queryRows<Row>(
  events: ClickHouseClient,
  query: string,
  params: Params,
  limits: ReadLimits = { seconds: questionSecondsMax },
): Promise<Row[]> {
  try {
    return await ask<Row>(events, query, params, limits)
  } catch (error) {
    if (!(error instanceof ClickHouseError) || !tooMuch.includes(error.type ?? '')) throw error
    throw new Fault('databaseError', 'tooSlow', {
      status: 503,
      message: 'Too many rows: choose a shorter range or another filter',
    })
  }
}

async function ask<Row>(events: ClickHouseClient, query: string, params: Params, limits: ReadLimits): Promise<Row[]> {
  const result = await events.query({
    query,
    query_params: params,
    format: 'JSONEachRow',
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 0,
      max_execution_time: limits.seconds,
      ...(limits.rows === undefined ? {} : { max_rows_to_read: String(limits.rows) }),
      ...(limits.bytes === undefined ? {} : { max_memory_usage: String(limits.bytes) }),
      // A sum may have the name of the column it sums.
      prefer_column_name_to_alias: 1,
    },
  })
  return result.json<Row>()
}
