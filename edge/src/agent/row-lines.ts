/**
 * The lines of nginx's log of requests (contract: `row-lines.ts`), looked at byte by byte: no line becomes a string, and a
 * batch from which nothing is taken out is sent as it was read. Pure.
 */
import { lineOfRow, rowColumns, rowMark, rowMarkBeforeOf, todaysLine } from '@breakwater/contract/edge/row-lines.ts'

const [tab, newline, point, zero] = [9, 10, 46, 48]
const mark = Buffer.from(`${rowMark}\t`)
/** Tabs before a value: the mark stands before the first. */
const tabsBefore = (name: (typeof rowColumns)[number]) => rowColumns.indexOf(name) + 1
const [timeAt, nodeAt, siteAt] = [tabsBefore('time'), tabsBefore('node'), tabsBefore('site')]

/**
 * How many rows there are, how many lines were torn, and how many rows were of sites to be left out; epoch seconds of the
 * oldest row and the newest one, without fractions, 0 without rows.
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
 * The rows that this node may upload. Left out: half lines of a worker that was killed while writing, requests for hosts
 * that are nobody's (site 0), which no customer's statistics can hold, and the rows of `without`. A line that a worker of
 * the release before wrote becomes one of today's. Rows of node 0 get this node's number: nginx does not know it until it
 * has read its configuration after the enrolment, and its workers of before serve the first sites meanwhile.
 */
export function ownLines(log: Buffer, node: number, without: ReadonlySet<number> = new Set()): OwnLines {
  const sites = new Set<number>()
  const pieces: Buffer[] = []
  let [rows, torn, left, oldest, newest] = [0, 0, 0, 0, 0]
  /** Where the piece begins that is taken over as it stands. */
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

/** When a batch's last row was logged, in epoch seconds; nothing without rows. */
export function lastTime(lines: Buffer): number | undefined {
  const start = lines.lastIndexOf(newline, lines.length - 2) + 1 + mark.length
  const time = Number.parseFloat(lines.toString('latin1', start, start + 24))
  return Number.isNaN(time) ? undefined : time
}

/** The rows with their times moved by so many whole seconds. */
export function moveLines(lines: Buffer, seconds: number): Buffer {
  if (seconds === 0) return lines
  const move = (_: string, time: string) => `${rowMark}\t${Number(time) + seconds}`
  return Buffer.from(lines.toString('latin1').replace(new RegExp(`^${rowMark}\\t(\\d+)`, 'gm'), move), 'latin1')
}

type Line = { end: number | undefined; whole: boolean; time: number; node: number; site: number }

/** One pass over a line: its end behind the newline, whether it has the form of a row, and whose it is. */
function readLine(log: Buffer, start: number): Line {
  let [time, node, site, tabs, number, at] = [0, -1, -1, 0, 0, start]
  // Digits before the first point: what else stands there the store refuses.
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

/** What is sent in a line's place, or nothing where it is sent as it stands, or not at all. */
function otherLine(bytes: Buffer, line: Line, node: number): Buffer | undefined {
  if (!line.whole) return fromBefore(bytes)
  if (line.node !== 0 || line.site <= 0) return undefined
  const values = bytes.toString('latin1').split('\t')
  values[nodeAt] = String(node)
  return Buffer.from(values.join('\t'), 'latin1')
}

/** A row of a release before, a line with fewer values or a JSON object, as today's line; nothing where it is half of one. */
function fromBefore(line: Buffer): Buffer | undefined {
  if (rowMarkBeforeOf(line.toString('latin1', 0, mark.length)) !== undefined) {
    const today = todaysLine(line.toString('latin1', 0, line.length - 1))
    return today === undefined ? undefined : Buffer.from(`${today}\n`, 'latin1')
  }
  // Rows are flat, so a second `{"` is a row that began in another's line.
  if (line[0] !== 0x7b || line.includes('{"', 1)) return undefined
  try {
    // nginx writes three digits, also of the status of a request that got no answer.
    const json = line.toString('utf8').replace('"status":000', '"status":0')
    return Buffer.from(lineOfRow(JSON.parse(json)), 'latin1')
  } catch {
    return undefined
  }
}
