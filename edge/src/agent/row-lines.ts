/**
 * Reads the lines of nginx's request log (contract: `row-lines.ts`) byte by byte: lines are not converted to strings,
 * and a batch from which nothing is removed is sent as it was read. Pure.
 */
import { lineOfRow, rowColumns, rowMark, rowMarkBeforeOf, todaysLine } from '@breakwater/contract/edge/row-lines.ts'

const [tab, newline, point, zero] = [9, 10, 46, 48]
const mark = Buffer.from(`${rowMark}\t`)
/** The number of tabs before a value: the mark precedes the first one. */
const tabsBefore = (name: (typeof rowColumns)[number]) => rowColumns.indexOf(name) + 1
const [timeAt, nodeAt, siteAt] = [tabsBefore('time'), tabsBefore('node'), tabsBefore('site')]

/**
 * Counts of rows, of torn lines, and of removed rows of sites in `without`; `from` and `to` are the epoch seconds of
 * the oldest and the newest row, without fractions, 0 if there are no rows.
 */
export type OwnLines = {
  bytes: Buffer
  rows: number
  torn: number
  without: number
  sites: Set<number>
  from: number
  to: number
}

/**
 * The rows that this node may upload. Left out are torn lines of a worker that was killed while writing, requests for
 * unknown hosts (site 0), which belong to no customer's statistics, and rows of the sites in `without`. A line written
 * by a worker of the previous release is converted to the current format. Rows of node 0 get this node's number: nginx
 * does not know it until it has read its configuration after the enrolment, and meanwhile its old workers serve the
 * first sites.
 */
export function ownLines(log: Buffer, node: number, without: ReadonlySet<number> = new Set()): OwnLines {
  const sites = new Set<number>()
  const pieces: Buffer[] = []
  let [rows, torn, left, oldest, newest] = [0, 0, 0, 0, 0]
  /** Where the piece begins that is copied unchanged. */
  let from = 0
  const takeOver = (end: number) => {
    if (end > from) pieces.push(log.subarray(from, end))
  }
  for (let start = 0; start < log.length; ) {
    const line = readLine(log, start)
    if (line.end === undefined) break
    const other = line.whole && line.node !== 0 ? undefined : otherLine(log.subarray(start, line.end), line, node)
    const known = other ? readLine(other, 0) : line
    const isOwn = known.whole && known.node === node && known.site > 0 && !without.has(known.site)
    if (isOwn) {
      rows++
      sites.add(known.site)
      if (known.time < oldest || oldest === 0) oldest = known.time
      if (known.time > newest) newest = known.time
    } else if (!known.whole) torn++
    else if (known.node === node && known.site > 0) left++
    if (other || !isOwn) {
      takeOver(start)
      if (other && isOwn) pieces.push(other)
      from = line.end
    }
    start = line.end
  }
  const found = { rows, torn, without: left, sites, from: oldest, to: newest }
  if (pieces.length === 0 && from === 0) return { ...found, bytes: log }
  takeOver(log.length)
  return { ...found, bytes: Buffer.concat(pieces) }
}

/** When a batch's last row was logged, in epoch seconds; undefined if there are no rows. */
export function lastTime(lines: Buffer): number | undefined {
  const start = lines.lastIndexOf(newline, lines.length - 2) + 1 + mark.length
  const time = Number.parseFloat(lines.toString('latin1', start, start + 24))
  return Number.isNaN(time) ? undefined : time
}

/** The rows, with their times shifted by this many whole seconds. */
export function moveLines(lines: Buffer, seconds: number): Buffer {
  if (seconds === 0) return lines
  const move = (_: string, time: string) => `${rowMark}\t${Number(time) + seconds}`
  return Buffer.from(lines.toString('latin1').replace(new RegExp(`^${rowMark}\\t(\\d+)`, 'gm'), move), 'latin1')
}

type Line = { end: number | undefined; whole: boolean; time: number; node: number; site: number }

/** One pass over a line: its end after the newline, whether it is a complete row, and its time, node and site. */
function readLine(log: Buffer, start: number): Line {
  let [time, node, site, tabs, number, at] = [0, -1, -1, 0, 0, start]
  // Only the digits before the first point are read; the store refuses other characters there.
  let isWhole = true
  for (; at < log.length; at++) {
    const byte = log[at]!
    if (byte === newline) break
    if (byte === tab) {
      if (tabs === timeAt) time ||= number
      else if (tabs === nodeAt) node = isWhole ? number : -1
      else if (tabs === siteAt) site = isWhole ? number : -1
      tabs++
      number = 0
      isWhole = true
    } else if (tabs <= siteAt) {
      if (byte >= zero && byte <= zero + 9) number = number * 10 + byte - zero
      else if (byte !== point) isWhole = false
      else if (tabs === timeAt) time = number
    }
  }
  const begins = log[start] === mark[0] && log[start + 1] === mark[1] && log[start + 2] === mark[2]
  return { end: at < log.length ? at + 1 : undefined, whole: begins && tabs === rowColumns.length, time, node, site }
}

/** The replacement for a line; undefined if it is sent unchanged, or not at all. */
function otherLine(bytes: Buffer, line: Line, node: number): Buffer | undefined {
  if (!line.whole) return fromBefore(bytes)
  if (line.node !== 0 || line.site <= 0) return undefined
  const values = bytes.toString('latin1').split('\t')
  values[nodeAt] = String(node)
  return Buffer.from(values.join('\t'), 'latin1')
}

/** Converts a row of an earlier release (a line with fewer values, or a JSON object). Undefined if it is torn. */
function fromBefore(line: Buffer): Buffer | undefined {
  if (rowMarkBeforeOf(line.toString('latin1', 0, mark.length)) !== undefined) {
    const today = todaysLine(line.toString('latin1', 0, line.length - 1))
    return today === undefined ? undefined : Buffer.from(`${today}\n`, 'latin1')
  }
  // Rows are flat, so a second `{"` means that another row begins within this line.
  if (line[0] !== 0x7b || line.includes('{"', 1)) return undefined
  try {
    // nginx writes three digits even for the status of a request that got no response.
    const json = line.toString('utf8').replace('"status":000', '"status":0')
    return Buffer.from(lineOfRow(JSON.parse(json)), 'latin1')
  } catch {
    return undefined
  }
}
