/** What was found out about values, by value, in two generations: the older is let go whole. */

export type Memory<T> = { young: Record<string, T>; old: Record<string, T>; count: number; bytes: number }

/** What a generation holds at most, and the longest value in it. */
const countMax = 2048
const bytesMax = 256 * 1024
const lengthMax = 8192

export const newMemory = <T>(): Memory<T> => ({ young: {}, old: {}, count: 0, bytes: 0 })

export function recalled<T>(memory: Memory<T>, value: string): T | undefined {
  const known = memory.young[value]
  if (known !== undefined) return known
  const before = memory.old[value]
  if (before !== undefined) remember(memory, value, before)
  return before
}

export function remember<T>(memory: Memory<T>, value: string, found: T): void {
  if (value.length > lengthMax) return
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
