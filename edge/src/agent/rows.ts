/**
 * Reads lines of counters as text, without parsing them: quotes inside a JSON string are escaped, so `"site":` can only
 * be a key. Pure.
 */

/**
 * The rows that this node may upload. Left out are torn lines of a worker that was killed while writing, rows from
 * before the enrolment, and requests for unknown hosts (site 0), which belong to no customer's statistics.
 */
export function ownRows(ndjson: Buffer, node: number): { bytes: Buffer; rows: number; torn: number } {
  const lines = linesOf(ndjson)
  // Rows are flat, so a second `{"` means that another row begins within this line.
  const whole = lines.filter((line) => line.startsWith('{"') && line.endsWith('}') && !line.includes('{"', 1))
  const own = whole.filter((line) => numberAfter(line, '"node":') === node && siteOf(line) > 0)
  const torn = lines.length - whole.length
  return { bytes: own.length === lines.length ? ndjson : bytesOf(own), rows: own.length, torn }
}

/** The sites that occur in a batch. */
export function sitesIn(ndjson: Buffer): Set<number> {
  return new Set(linesOf(ndjson).map(siteOf))
}

/** The rows of the given sites, and the rows of all others. */
export function split(ndjson: Buffer, sites: ReadonlySet<number>): { of: Buffer; others: Buffer; ofRows: number } {
  const lines = linesOf(ndjson)
  const of = lines.filter((line) => sites.has(siteOf(line)))
  return { of: bytesOf(of), others: bytesOf(lines.filter((line) => !sites.has(siteOf(line)))), ofRows: of.length }
}

export const countRows = (ndjson: Buffer) => linesOf(ndjson).length

// latin1 maps each byte to one character, so reading and writing changes nothing.
const linesOf = (ndjson: Buffer) => ndjson.toString('latin1').split('\n').slice(0, -1)
const bytesOf = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1')

function siteOf(line: string): number {
  return numberAfter(line, '"site":')
}

function numberAfter(line: string, key: string): number {
  const at = line.indexOf(key)
  return at < 0 ? -1 : Number.parseInt(line.slice(at + key.length, at + key.length + 16), 10)
}
