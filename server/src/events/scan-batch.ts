/**
 * A look over a batch's NDJSON without parsing it: which nodes and sites its lines name, and from when they are.
 * A quote inside a JSON string is escaped, so `"site":` can only be a key. What a forged line could still hide (a key
 * spelled with escapes) the INSERT itself leaves out: it stores rows of the sites found here and of no other.
 */
export type BatchScan = {
  lines: number
  /** Lines without a readable node or site. */
  unreadable: number
  nodes: Set<number>
  sites: Set<number>
  /** Epoch seconds of the oldest and the newest line; 0 without lines. */
  from: number
  to: number
}

const newline = 10
const nodeKey = Buffer.from('"node":')
const siteKey = Buffer.from('"site":')

/** Scans a batch. `timeField` names the lines' time in epoch seconds. */
export function scanBatch(bytes: Buffer, timeField: 'time' | 'minute'): BatchScan {
  const timeKey = Buffer.from(`"${timeField}":`)
  const scan: BatchScan = { lines: 0, unreadable: 0, nodes: new Set(), sites: new Set(), from: 0, to: 0 }
  let start = 0
  while (start < bytes.length) {
    const found = bytes.indexOf(newline, start)
    const end = found === -1 ? bytes.length : found
    if (end > start + 1) {
      scan.lines++
      const line = bytes.subarray(start, end)
      const node = numberAfter(line, nodeKey)
      const site = numberAfter(line, siteKey)
      if (node === -1 || site === -1) scan.unreadable++
      else {
        scan.nodes.add(node)
        scan.sites.add(site)
        const time = numberAfter(line, timeKey)
        if (time > 0 && (scan.from === 0 || time < scan.from)) scan.from = time
        if (time > scan.to) scan.to = time
      }
    }
    start = end + 1
  }
  return scan
}

/** The whole number that follows a key (a fraction is left off), or -1. */
function numberAfter(line: Buffer, key: Buffer): number {
  const at = line.indexOf(key)
  if (at === -1) return -1
  let value = -1
  for (let i = at + key.length; i < line.length; i++) {
    const digit = line[i]! - 48
    if (digit < 0 || digit > 9) break
    value = (value === -1 ? 0 : value * 10) + digit
  }
  return value
}
