import type { BatchNote } from '@breakwater/contract/edge/batch-note.ts'
import { rowColumns, rowMark, rowMarkBeforeOf } from '@breakwater/contract/edge/row-lines.ts'

/**
 * Scans a batch's NDJSON without parsing it: which nodes and sites its lines name, and their time span. A quote inside
 * a JSON string is escaped, so `"site":` can only be a key. Anything a forged line could still hide (a key spelled with
 * escapes) is dropped by the INSERT, which only stores rows of the sites found here.
 */
export type BatchScan = {
  lines: number
  /** Lines without a readable node or site. */
  unreadable: number
  nodes: Set<number>
  sites: Set<number>
  /** Epoch seconds of the oldest and the newest line; 0 if there are no lines. */
  from: number
  to: number
  /** The mark at the start of the lines, which determines how many values they have; meaningless for NDJSON. */
  mark: string
}

const newline = 10
const nodeKey = Buffer.from('"node":')
const siteKey = Buffer.from('"site":')

/** Scans a batch. `timeField` names the lines' time in epoch seconds. */
export function scanBatch(bytes: Buffer, timeField: 'time' | 'minute'): BatchScan {
  const timeKey = Buffer.from(`"${timeField}":`)
  const scan = emptyScan()
  let start = 0
  while (start < bytes.length) {
    const found = bytes.indexOf(newline, start)
    const end = found === -1 ? bytes.length : found
    if (end > start + 1) {
      scan.lines++
      const line = bytes.subarray(start, end)
      note(scan, numberAfter(line, nodeKey), numberAfter(line, siteKey), numberAfter(line, timeKey))
    }
    start = end + 1
  }
  return scan
}

const tab = 9
/** The positions of the values to look at, counted after the mark. */
const [timeAt, nodeAt, siteAt] = (['time', 'node', 'site'] as const).map((name) => rowColumns.indexOf(name))

/** Scans a batch of rows in line format (contract: `row-lines.ts`). */
export function scanLines(bytes: Buffer): BatchScan {
  const scan = emptyScan()
  const mark = rowMarkBeforeOf(bytes.toString('latin1', 0, rowMark.length + 1)) ?? rowMark
  scan.mark = mark
  const marked = Buffer.from(`${mark}\t`)
  const values = new Array<number>(siteAt! + 1)
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(newline, start)
    const end = found === -1 ? bytes.length : found
    if (end > start) {
      scan.lines++
      values.fill(-1)
      const isMarked = marked.every((byte, at) => bytes[start + at] === byte)
      for (let at = start + marked.length, value = 0; isMarked && value < values.length; value++) {
        values[value] = numberAt(bytes, at)
        while (at < end && bytes[at] !== tab) at++
        at++
      }
      note(scan, values[nodeAt!]!, values[siteAt!]!, values[timeAt!]!)
    }
    start = end + 1
  }
  return scan
}

/** The summary that a node declares for a batch that is not scanned. The first version of lines has no mark in it. */
export const scanOfNote = ({ rows, sites, from, to, mark }: BatchNote): BatchScan => ({
  ...{
    lines: rows,
    unreadable: 0,
    nodes: new Set<number>(),
    sites: new Set(sites),
    from,
    to,
    mark: mark ?? 'v1',
  },
})

const emptyScan = (): BatchScan => ({
  lines: 0,
  unreadable: 0,
  nodes: new Set(),
  sites: new Set(),
  from: 0,
  to: 0,
  mark: rowMark,
})

function note(scan: BatchScan, node: number, site: number, time: number): void {
  if (node === -1 || site === -1) {
    scan.unreadable++
    return
  }
  scan.nodes.add(node)
  scan.sites.add(site)
  if (time > 0 && (scan.from === 0 || time < scan.from)) scan.from = time
  if (time > scan.to) scan.to = time
}

/** The integer after a key (ignoring any fraction), or -1. */
function numberAfter(line: Buffer, key: Buffer): number {
  const at = line.indexOf(key)
  return at === -1 ? -1 : numberAt(line, at + key.length)
}

function numberAt(bytes: Buffer, from: number): number {
  let value = -1
  for (let i = from; i < bytes.length; i++) {
    const digit = bytes[i]! - 48
    if (digit < 0 || digit > 9) break
    value = (value === -1 ? 0 : value * 10) + digit
  }
  return value
}
