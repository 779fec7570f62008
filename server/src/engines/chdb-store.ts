import { mkdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drainPending, type RawInsertFormat, Session } from 'chdb'
import { StatementError } from './chdb-error.ts'
import { holdsSeveral, readInputInsert, readRowInsert, type Statement, trimStatement } from './chdb-statement.ts'
import { concurrencyLimit } from './concurrency-limit.ts'

export type Answer = { bytes: Uint8Array; summary: Record<string, string> }

const RAW_FORMATS = ['JSONEachRow', 'JSONCompactEachRow', 'CSV', 'CSVWithNames', 'TabSeparated', 'TSV']

/** How many statements run concurrently. One may take minutes, so this is more than there are cores. */
const PARALLEL = 8

/**
 * How often the engine compares the memory of the process with what it accounts for. By default it does so 20 times a
 * second, which takes half of an idle engine's processor time.
 */
const memoryLookMs = 1_000

const tooMany = () => new StatementError(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many statements wait already.')

/**
 * Runs statements on the engine, each in a session of its own. Opening a session takes less than half a millisecond and
 * isolates everything a statement sets: settings, parameters, temporary tables, `USE`. (The binding's own parameter
 * call serializes all such queries of the process; `SET param_…` does not.)
 *
 * An acknowledged insert is in the engine's files and survives the death of this process. To survive a power cut, its
 * table must be created with `fsync_after_insert = 1, fsync_part_directory = 1`.
 */
export function openStore(folder: string, memoryMaxBytes: number) {
  const data = join(folder, 'store')
  const spool = join(folder, 'spool')
  rmSync(spool, { recursive: true, force: true })
  mkdirSync(spool, { recursive: true, mode: 0o700 })
  // Kept open permanently: the engine stops with its last session.
  const root = new Session(data, {
    connectionArgs: [
      `--max_server_memory_usage=${memoryMaxBytes}`,
      `--mark_cache_size=${Math.floor(memoryMaxBytes / 10)}`,
      `--memory_worker_period_ms=${memoryLookMs}`,
    ],
  })
  const defaults = [
    // 64-bit numbers as strings: JavaScript would round them.
    'output_format_json_quote_64bit_integers = 1',
    `max_memory_usage = ${Math.floor(memoryMaxBytes * 0.7)}`,
    // A response is held in memory completely before it is sent.
    `max_result_bytes = ${Math.floor(memoryMaxBytes / 8)}`,
  ]
  // Two concurrent inserts take three times the processor time per row of two consecutive ones.
  const insertLimit = concurrencyLimit(1, 256, tooMany)
  const limited = concurrencyLimit(PARALLEL, 256, tooMany)
  let spooled = 0

  async function inSession<T>(statement: Statement, work: (session: Session) => Promise<T>): Promise<T> {
    const session = new Session(data)
    try {
      await session.queryAsync(`SET ${defaults.join(', ')}`)
      if (statement.database) await session.queryAsync(`USE \`${statement.database.replaceAll('`', '')}\``)
      if (statement.assignments.length) await session.queryAsync(`SET ${statement.assignments.join(', ')}`)
      return await work(session)
    } finally {
      session.close()
    }
  }

  function query(statement: Statement, sql: string): Promise<Answer> {
    return inSession(statement, async (session) => {
      const result = await session.queryAsync(sql, { format: statement.format })
      const summary = { read_rows: String(result.rowsRead), read_bytes: String(result.bytesRead) }
      return { bytes: result.bytes(), summary }
    })
  }

  async function insertRows(statement: Statement, sql: string): Promise<Answer> {
    const insert = readRowInsert(sql)
    if (insert && RAW_FORMATS.includes(insert.format)) {
      if (insert.settings) statement.assignments.push(insert.settings)
      return inSession(statement, async (session) => {
        const { table, columns } = insert
        const format = insert.format as RawInsertFormat
        const done = await session.insert({ table, values: statement.data, format, ...(columns && { columns }) })
        const summary = { written_rows: String(done.rowsWritten), written_bytes: String(done.bytesWritten) }
        return { bytes: new Uint8Array(), summary }
      })
    }
    if (insert?.format === 'Native') return insertNative(statement, insert)
    const fed = readInputInsert(sql)
    if (fed) return insertFromFile(statement, fed)
    return query(statement, `${sql}\n${statement.data.toString()}`)
  }

  /**
   * The embedded engine accepts `input()` but inserts nothing, without an error; from a file it reads the same rows.
   */
  async function insertFromFile(statement: Statement, insert: NonNullable<ReturnType<typeof readInputInsert>>) {
    return spoolRows(statement, (path) =>
      query(
        statement,
        `${insert.before}file(${path}, '${insert.format}', ${insert.structure}, '${statement.packing ?? 'none'}')${insert.after}`,
      ),
    )
  }

  /**
   * Binary data cannot be part of a statement's text, so it goes through a file as well. The file names its columns.
   */
  async function insertNative(
    statement: Statement,
    { table, settings }: NonNullable<ReturnType<typeof readRowInsert>>,
  ) {
    if (settings) statement.assignments.push(settings)
    return spoolRows(statement, async (path) => {
      const asked = { ...statement, format: 'JSONEachRow', assignments: [] }
      const described = await query(asked, `describe table file(${path}, 'Native')`)
      const lines = Buffer.from(described.bytes).toString().trimEnd().split('\n')
      const columns = lines.map((line) => `\`${(JSON.parse(line) as { name: string }).name}\``).join()
      return query(statement, `insert into \`${table}\` (${columns}) select ${columns} from file(${path}, 'Native')`)
    })
  }

  /** Stores a body in a file while `run` reads it; `path` is quoted for use in a statement. */
  async function spoolRows(statement: Statement, run: (path: string) => Promise<Answer>): Promise<Answer> {
    const path = join(spool, `${++spooled}.rows`)
    try {
      await writeFile(path, statement.data, { mode: 0o600 })
      return await run(`'${path.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`)
    } finally {
      rmSync(path, { force: true })
    }
  }

  return {
    run(statement: Statement): Promise<Answer> {
      const sql = trimStatement(statement.sql)
      if (!sql) throw new StatementError(62, 'SYNTAX_ERROR', 'Syntax error: the statement is empty.')
      if (holdsSeveral(sql)) {
        throw new StatementError(62, 'SYNTAX_ERROR', 'Syntax error: a request holds one statement only.')
      }
      const carriesRows = statement.data.length > 0
      return carriesRows ? insertLimit(() => insertRows(statement, sql)) : limited(() => query(statement, sql))
    },
    async close() {
      root.close()
      await drainPending()
    },
  }
}
