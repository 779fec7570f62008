/** Parses a request in ClickHouse's HTTP dialect: what to run, with which data and which settings. */
export type Statement = {
  sql: string
  /** The data after the statement: the rows of an insert. */
  data: Buffer
  /** The compression of the rows if the engine decompresses them itself. */
  packing?: 'zstd'
  database: string | undefined
  /** The format of the response if the statement names none. */
  format: string
  /** Assignments for one SET: the settings and the query's parameters. */
  assignments: string[]
}

/** URL parameters for the HTTP interface itself; all others are settings or query parameters. */
const INTERFACE_NAMES = new Set([
  ...['query', 'query_id', 'database', 'default_format', 'user', 'password', 'quota_key', 'role', 'stacktrace'],
  ...[
    'wait_end_of_query',
    'buffer_size',
    'compress',
    'decompress',
    'session_timeout',
    'session_check',
    'close_session',
  ],
])

export function readStatement(address: URLSearchParams, body: Buffer, formatHeader: string | undefined): Statement {
  const assignments: string[] = []
  for (const [name, value] of address) {
    if (!INTERFACE_NAMES.has(name) && /^\w+$/.test(name)) assignments.push(`${name} = ${literal(name, value)}`)
  }
  const inAddress = address.get('query')
  return {
    sql: inAddress ?? body.toString(),
    data: inAddress ? body : Buffer.alloc(0),
    database: address.get('database') ?? undefined,
    format: address.get('default_format') ?? formatHeader ?? 'TabSeparated',
    assignments,
  }
}

/**
 * A value as SQL: settings do not accept a quoted number, while a parameter of digits may be text with leading zeros.
 */
function literal(name: string, value: string): string {
  if (!name.startsWith('param_') && /^-?\d{1,18}$/.test(value)) return value
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

export type RowInsert = { table: string; columns: string[] | undefined; settings: string | undefined; format: string }

const NAME = '(?:[\\w.]+|`[^`]+`|"[^"]+")'
const ROW_INSERT = new RegExp(
  `^INSERT\\s+INTO\\s+(?:TABLE\\s+)?(${NAME}(?:\\.${NAME})?)\\s*(?:\\(([^()]*)\\))?\\s*(?:SETTINGS\\s+(.+?)\\s+)?FORMAT\\s+(\\w+)\\s*;?$`,
  'is',
)

/** `INSERT INTO t (a, b) [SETTINGS …] FORMAT f`: the rows are passed to the engine unchanged. */
export function readRowInsert(sql: string): RowInsert | undefined {
  const match = ROW_INSERT.exec(sql)
  if (!match) return undefined
  const [, table = '', columns, settings, format = ''] = match
  const unquote = (name: string) => name.trim().replace(/[`"]/g, '')
  return { table: unquote(table), columns: columns?.split(',').map(unquote), settings, format }
}

/** Splits `INSERT INTO t SELECT … FROM input('structure') … FORMAT f` into the parts around the call. */
export function readInputInsert(sql: string) {
  const match = /^(INSERT\s.+?)\binput\s*\(\s*('(?:[^'\\]|\\.|'')*')\s*\)(.*?)\s+FORMAT\s+(\w+)\s*;?$/is.exec(sql)
  if (!match) return undefined
  const [, before = '', structure = '', after = '', format = ''] = match
  return { before, structure, after, format }
}

/** The statement without leading comments and surrounding whitespace. */
export function trimStatement(sql: string): string {
  return sql.replace(/^(\s|--[^\n]*\n|\/\*.*?\*\/)+/s, '').trimEnd()
}

/**
 * Whether a request has more than one statement: a server refuses that, whereas the embedded engine would silently run
 * all.
 */
export function holdsSeveral(sql: string): boolean {
  if (/^INSERT\b/i.test(sql)) return false
  const bare = sql.replace(/'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`[^`]*`|--[^\n]*|\/\*.*?\*\//gs, '')
  return /;\s*[^\s;]/.test(bare)
}
