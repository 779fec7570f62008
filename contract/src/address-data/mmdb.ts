/**
 * Reads a MaxMind DB (specification version 2.0): a tree over address bits whose leaves point to records. Files crafted
 * to loop or to take forever are rejected.
 */
import type { NumberedRange } from '../edge/address-table.ts'
import { BadData } from './bad-data.ts'

const metadataMark = '\xab\xcd\xefMaxMind.com'
const metadataBytesMax = 131_072
/** Zero bytes between the tree and the records. */
const separatorBytes = 16
const nodesMax = 16_777_216
/** The most steps through the tree; that of all countries has 1.5 million nodes. */
const stepsMax = 20_000_000
/** The deepest nesting of lists, maps and pointers. */
const depthMax = 32
const v6Bits = 48

type Value = string | number | bigint | boolean | Uint8Array | Value[] | { [key: string]: Value } | null
export type MmdbMetadata = { type: string; description: string; builtAt: Date | undefined }
export type Mmdb = MmdbMetadata & {
  /** The ranges whose record has a number, in order. `numberOf` returns 0 for a record without one. */
  ranges(family: 4 | 6, numberOf: (record: Value) => number): NumberedRange[]
}

class Records {
  private readonly view: DataView
  private readonly bytes: Uint8Array
  private readonly base: number
  constructor(bytes: Uint8Array, base: number) {
    this.bytes = bytes
    this.base = base
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  at(offset: number): Value {
    return this.read(this.base + offset, 0).value
  }

  private read(at: number, depth: number): { value: Value; end: number } {
    if (depth > depthMax) throw new BadData('the records lead in circles')
    const control = this.view.getUint8(at)
    let next = at + 1
    let type = control >> 5
    if (type === 1) return this.pointed(control, next, depth)
    if (type === 0) type = 7 + this.view.getUint8(next++)
    let size = control & 31
    if (size >= 29) {
      const more = size - 28
      const base = [29, 285, 65_821][more - 1]!
      size = base + this.whole(next, more)
      next += more
    }
    return this.ofType(type, size, next, depth)
  }

  private pointed(control: number, at: number, depth: number): { value: Value; end: number } {
    const more = ((control >> 3) & 3) + 1
    const high = more === 4 ? 0 : (control & 7) * 256 ** more
    const target = high + this.whole(at, more) + [0, 2048, 526_336, 0][more - 1]!
    return { value: this.read(this.base + target, depth + 1).value, end: at + more }
  }

  private ofType(type: number, size: number, at: number, depth: number): { value: Value; end: number } {
    switch (type) {
      case 2:
        return { value: new TextDecoder().decode(this.slice(at, size)), end: at + size }
      case 3:
        return { value: this.view.getFloat64(at), end: at + 8 }
      case 4:
        return { value: this.slice(at, size), end: at + size }
      case 5:
      case 6:
        return { value: this.whole(at, size), end: at + size }
      case 7:
        return this.map(size, at, depth)
      case 8:
        return { value: this.view.getInt32(at), end: at + size }
      case 9:
      case 10:
        return { value: this.slice(at, size).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n), end: at + size }
      case 11:
        return this.list(size, at, depth)
      case 14:
        return { value: size !== 0, end: at }
      case 15:
        return { value: this.view.getFloat32(at), end: at + 4 }
      default:
        throw new BadData(`a record is of the unknown type ${type}`)
    }
  }

  private map(size: number, at: number, depth: number): { value: Value; end: number } {
    const map: { [key: string]: Value } = Object.create(null)
    let next = at
    for (let i = 0; i < size; i++) {
      const key = this.read(next, depth + 1)
      if (typeof key.value !== 'string') throw new BadData('a name in a record is no text')
      const { value, end } = this.read(key.end, depth + 1)
      map[key.value] = value
      next = end
    }
    return { value: map, end: next }
  }

  private list(size: number, at: number, depth: number): { value: Value; end: number } {
    const list: Value[] = []
    let next = at
    for (let i = 0; i < size; i++) {
      const { value, end } = this.read(next, depth + 1)
      list.push(value)
      next = end
    }
    return { value: list, end: next }
  }

  private slice(at: number, size: number): Uint8Array {
    if (at + size > this.bytes.length) throw new BadData('it is cut off')
    return this.bytes.subarray(at, at + size)
  }

  private whole(at: number, size: number): number {
    if (size > 4) throw new BadData('a number in a record is too long')
    return this.slice(at, size).reduce((sum, byte) => sum * 256 + byte, 0)
  }
}

/** Whether a file is an MMDB, by the marker near its end. */
export const isMmdb = (bytes: Uint8Array): boolean => markAt(bytes) >= 0

function markAt(bytes: Uint8Array): number {
  const from = Math.max(0, bytes.length - metadataBytesMax)
  const tail = new TextDecoder('latin1').decode(bytes.subarray(from))
  // TextDecoder's latin1 is windows-1252, which leaves these characters as they are.
  const at = tail.lastIndexOf(metadataMark)
  return at < 0 ? -1 : from + at + metadataMark.length
}

/** Opens an MMDB. Throws `BadData` if it cannot be read. */
export function openMmdb(bytes: Uint8Array): Mmdb {
  return bounded(() => {
    const start = markAt(bytes)
    const metadata = new Records(bytes, start).at(0)
    if (start < 0 || !isMap(metadata)) throw new BadData('it is no MMDB')
    const nodes = wholeOf(metadata.node_count, nodesMax)
    const recordBits = wholeOf(metadata.record_size, 32)
    const version = wholeOf(metadata.ip_version, 6)
    if (![24, 28, 32].includes(recordBits) || ![4, 6].includes(version) || nodes === 0)
      throw new BadData('its tree is of an unknown form')
    const nodeBytes = recordBits / 4
    const treeBytes = nodes * nodeBytes
    if (treeBytes + separatorBytes > start) throw new BadData('its tree is cut off')
    const tree: Tree = { bytes, nodes, recordBits, nodeBytes }
    const records = new Records(bytes, treeBytes + separatorBytes)
    return {
      type: textOf(metadata.database_type),
      description: isMap(metadata.description) ? textOf(metadata.description.en) : '',
      builtAt: dateOf(metadata.build_epoch),
      ranges: (family, numberOf) => bounded(() => walk(tree, records, version, family, numberOf)),
    }
  })
}

/** Reading past the end of the bytes also means a damaged file. */
function bounded<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof RangeError) throw new BadData('it is cut off', { cause: error })
    throw error
  }
}

const isMap = (value: Value | undefined): value is { [key: string]: Value } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)

function wholeOf(value: Value | undefined, max: number): number {
  if (typeof value !== 'number' || value > max) throw new BadData('its metadata is of an unknown form')
  return value
}

const textOf = (value: Value | undefined): string => (typeof value === 'string' ? value.slice(0, 200) : '')

function dateOf(value: Value | undefined): Date | undefined {
  const seconds = typeof value === 'bigint' || typeof value === 'number' ? Number(value) : 0
  return seconds > 0 && seconds < 4_102_444_800 ? new Date(seconds * 1000) : undefined
}

type Tree = { bytes: Uint8Array; nodes: number; recordBits: number; nodeBytes: number }

function childOf({ bytes, recordBits, nodeBytes }: Tree, node: number, side: 0 | 1): number {
  const at = node * nodeBytes
  const byte = (offset: number) => bytes[at + offset]!
  if (recordBits === 24) return byte(side * 3) * 65_536 + byte(side * 3 + 1) * 256 + byte(side * 3 + 2)
  if (recordBits === 32)
    return byte(side * 4) * 16_777_216 + byte(side * 4 + 1) * 65_536 + byte(side * 4 + 2) * 256 + byte(side * 4 + 3)
  const middle = byte(3)
  const high = side === 0 ? middle >> 4 : middle & 15
  return high * 16_777_216 + byte(side * 4) * 65_536 + byte(side * 4 + 1) * 256 + byte(side * 4 + 2)
}

/** The node where IPv4 begins in an IPv6 tree: 96 zero bits down. */
function v4Root(tree: Tree, version: number): number {
  let node = 0
  for (let bit = 0; version === 6 && bit < 96 && node < tree.nodes; bit++) node = childOf(tree, node, 0)
  return node
}

function walk(
  tree: Tree,
  records: Records,
  version: number,
  family: 4 | 6,
  numberOf: (record: Value) => number,
): NumberedRange[] {
  if (family === 6 && version === 4) return []
  const v4 = v4Root(tree, version)
  const bits = family === 4 ? 32 : v6Bits
  const found: NumberedRange[] = []
  const known = new Map<number, number>()
  const read = (leaf: number): number => {
    const seen = known.get(leaf)
    if (seen !== undefined) return seen
    const value = numberOf(records.at(leaf - tree.nodes - separatorBytes))
    known.set(leaf, value)
    return value
  }
  const put = (from: number, to: number, leaf: number) => {
    const value = leaf <= tree.nodes ? 0 : read(leaf)
    if (value === 0) return
    const last = found.at(-1)
    if (last !== undefined && last.to + 1 === from && last.value === value) last.to = to
    else found.push({ from, to, value })
  }
  let steps = 0
  const visit = (node: number, from: number, depth: number): void => {
    steps += 1
    if (steps > stepsMax) throw new BadData('its tree is too large')
    // An IPv6 tree has the IPv4 addresses in several places; they are read as IPv4 only.
    if (family === 6 && node === v4 && version === 6 && depth > 0) return
    const size = 2 ** (bits - depth)
    if (node >= tree.nodes) {
      put(from, from + size - 1, node)
      return
    }
    if (depth === bits) {
      // Anything finer than this counts as the record of its first address.
      let below = node
      for (let more = 0; below < tree.nodes && more < 128; more++) below = childOf(tree, below, 0)
      put(from, from, below)
      return
    }
    visit(childOf(tree, node, 0), from, depth + 1)
    visit(childOf(tree, node, 1), from + size / 2, depth + 1)
  }
  visit(family === 4 ? v4 : 0, 0, 0)
  return found
}

/** The string at a path of a record; '' if there is none. */
export function textIn(record: Value, ...path: string[]): string {
  let value: Value | undefined = record
  for (const name of path) value = isMap(value) ? value[name] : undefined
  return typeof value === 'string' ? value : ''
}

/** The number at a name of a record; 0 if there is none. */
export function numberIn(record: Value, name: string): number {
  const value = isMap(record) ? record[name] : undefined
  return typeof value === 'number' ? value : 0
}
