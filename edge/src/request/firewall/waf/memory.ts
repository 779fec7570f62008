/**
 * Caches results by value, in two generations: the older one is dropped as a whole. A value is kept when it occurs for
 * the second time: most values that occur once never occur again, and would only fill the CPU cache.
 */

/** `seen`: marks of the latest values that are not kept. */
export type Memory<T> = {
  young: Record<string, T>
  old: Record<string, T>
  count: number
  bytes: number
  seen: Record<number, number>
}

/** The limits of a generation, and the length of the longest value in it. */
const countMax = 2048
const bytesMax = 256 * 1024
const lengthMax = 8192

/**
 * The number of slots, each with the marks of two values seen once: as many marks as kept values, so that values in
 * rotation are kept, too. A prime, which spreads similar marks.
 */
const places = 1021

export function newMemory<T>(): Memory<T> {
  const seen: number[] = []
  for (let at = 0; at < places * 2; at++) seen.push(-1)
  return { young: {}, old: {}, count: 0, bytes: 0, seen }
}

export function recalled<T>(memory: Memory<T>, value: string): T | undefined {
  const known = memory.young[value]
  if (known !== undefined) return known
  const before = memory.old[value]
  if (before !== undefined) keep(memory, value, before)
  return before
}

export function remember<T>(memory: Memory<T>, value: string, found: T): void {
  if (value.length > lengthMax) return
  const mark = markOf(value)
  const place = (mark % places) * 2
  const { seen } = memory
  if (seen[place] === mark || seen[place + 1] === mark) {
    keep(memory, value, found)
    return
  }
  seen[place + 1] = seen[place]!
  seen[place] = mark
}

const sampleMax = 32
/** A prime below 2³¹. */
const markMax = 2_147_483_647

/** A hash of a value: of its length and a sample of bytes, so that different values rarely have the same mark. */
function markOf(value: string): number {
  const length = value.length
  const step = Math.max(1, Math.floor(length / sampleMax))
  let mark = length
  for (let at = 0; at < length; at += step) mark = (mark * 31 + value.charCodeAt(at)) % markMax
  return mark
}

function keep<T>(memory: Memory<T>, value: string, found: T): void {
  if (memory.count >= countMax || memory.bytes + value.length > bytesMax) {
    memory.old = memory.young
    memory.young = {}
    memory.count = 0
    memory.bytes = 0
  }
  memory.young[value] = found
  memory.count++
  memory.bytes += value.length
}
