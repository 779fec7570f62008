/**
 * A request's row as a line: its values in a fixed order, separated by tabs; bytes outside printable ASCII, quotes and
 * backslashes are escaped as `\xHH`. nginx writes it so, and ClickHouse reads it as TabSeparated: nothing in between
 * parses it. A visitor cannot get a tab or line break into a line, so a value is found by counting tabs.
 */
import type { RequestRow } from './events.ts'

/**
 * What every line begins with. It exposes a partial line that another one was appended to, and its number changes with
 * the column order.
 */
export const rowMark = 'v3'

/** The marks of older nodes, and how many values their lines have: the first ones. */
export const rowMarksBefore = { v1: 34, v2: 36 } as const
export type RowMarkBefore = keyof typeof rowMarksBefore

/** The mark that a line of an older node begins with; undefined if it is a current one, or none. */
export function rowMarkBeforeOf(line: string): RowMarkBefore | undefined {
  const mark = line.slice(0, line.indexOf('\t'))
  return Object.hasOwn(rowMarksBefore, mark) ? (mark as RowMarkBefore) : undefined
}

/** The order of the values after the mark. Only ever appended to, with a new mark. */
export const rowColumns = [
  ...['time', 'node', 'zone', 'site', 'revision', 'requestId', 'domain', 'address', 'country', 'method', 'scheme'],
  ...['httpVersion', 'path', 'query', 'status', 'cause', 'guard', 'rule', 'action', 'cache', 'route', 'bytesSent'],
  ...['bytesReceived', 'requestTime', 'originTime', 'originAddress', 'originStatus', 'originFailure', 'referer'],
  ...['userAgent', 'contentType', 'wafScore', 'waf', 'weight', 'asn', 'bot', 'wafShadow'],
] as (keyof RequestRow)[]

/** The content type of a batch of such lines. Older nodes send rows as NDJSON. */
export const rowLinesType = 'text/tab-separated-values'

const numbers = new Set<keyof RequestRow>([
  ...(['time', 'node', 'zone', 'site', 'revision', 'status', 'cause', 'rule', 'bytesSent', 'bytesReceived'] as const),
  ...(['requestTime', 'originTime', 'originStatus', 'weight', 'wafScore', 'asn'] as const),
])

/** nginx's value for an absent header. */
const absent = '-'

const escapeText = (text: string) =>
  Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[^ !#-[\]-~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

const unescapeText = (text: string) =>
  Buffer.from(
    text.replace(/\\x([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

/** The line of a row, including its line break. Fields that a row of an older node lacks are empty. */
export function lineOfRow(row: Partial<RequestRow>): string {
  const values = rowColumns.map((name) =>
    numbers.has(name) ? Number(row[name] ?? 0) : escapeText(String(row[name] ?? '')),
  )
  return `${[rowMark, ...values].join('\t')}\n`
}

/**
 * Converts a line of an older node, without its line break, to a current one; values that it lacks are empty. Returns
 * undefined if values are missing.
 */
export function todaysLine(line: string): string | undefined {
  const before = rowMarkBeforeOf(line)
  if (before === undefined) return line
  const values = line.split('\t').slice(1)
  if (values.length !== rowMarksBefore[before]) return undefined
  return [rowMark, ...values, ...rowColumns.slice(values.length).map(emptyOf)].join('\t')
}

const emptyOf = (name: keyof RequestRow): string => (numbers.has(name) ? '0' : '')

/** The row of a line without its line break; undefined if it is not a valid one. */
export function rowOfLine(line: string): RequestRow | undefined {
  const [mark, ...values] = todaysLine(line)?.split('\t') ?? []
  if (mark !== rowMark || values.length !== rowColumns.length) return undefined
  const entries = rowColumns.map((name, at): [string, string | number] => {
    const value = values[at]!
    if (numbers.has(name)) return [name, value === '' ? Number.NaN : Number(value)]
    return [name, name === 'contentType' && value === absent ? '' : unescapeText(value)]
  })
  return entries.some(([, value]) => Number.isNaN(value)) ? undefined : (Object.fromEntries(entries) as RequestRow)
}
