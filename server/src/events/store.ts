/** The event store: ClickHouse, embedded or a cluster, behind one client. */
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { Fault } from '../http/fault.ts'

/** How long a person's question may take. The embedded engine cannot stop one whose asker went away. */
const questionSecondsMax = 20

/** Opens the event store. Connections are made when needed; nothing is asked yet. */
export function openEvents(url: string): ClickHouseClient {
  return createClient({
    url,
    application: 'breakwater',
    max_open_connections: 20,
    request_timeout: 120_000,
    // An insert is on disk when it is answered, not in a queue of the engine's.
    clickhouse_settings: { async_insert: 0 },
    log: { level: ClickHouseLogLevel.OFF },
  })
}

/** What a statement's `{name:Type}` stand for. Values travel beside the statement, never in it. */
export type Params = Record<string, unknown>

/** What a question may cost: seconds, rows read, bytes of memory. */
export type ReadLimits = { seconds: number; rows?: number; bytes?: number }

/** What the engine says when a question costs more than it may. */
const tooMuch = ['TIMEOUT_EXCEEDED', 'TOO_MANY_ROWS', 'MEMORY_LIMIT_EXCEEDED', 'TOO_SLOW']

/**
 * Asks and reads the answer's rows; 64-bit numbers come as numbers, ours stay below 2^53. A question that takes too long
 * is refused with a sentence that says what helps.
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
      // A sum may bear the name of what it sums.
      prefer_column_name_to_alias: 1,
    },
  })
  return result.json<Row>()
}
