/**
 * How much garbage Lua's collector lets accumulate before the next mark and sweep. A percentage of the memory in use is
 * not enough: for a worker with few sites it would be too little, with constant collection, and for one with many sites
 * too much.
 */

/** KB of garbage that a worker may always hold. */
const room = 6 * 1024
/** Percent of the memory in use at which a cycle begins: the minimum, which nginx starts with, and the maximum. */
export const pauseLeast = 160
const pauseMost = 1000
/** Seconds between two adjustments: several cycles end in that time. */
const turns = 30

let lowest = math.huge
/** The first adjustment comes soon after a worker starts. */
let turn = turns - 2

/** Call once a second. Sets the pause from the lowest recent memory use, which is what a cycle left. */
export function tuneCollector(): void {
  lowest = math.min(lowest, collectgarbage('count'))
  turn++
  if (turn < turns) return
  collectgarbage('setpause', math.max(pauseLeast, math.min(pauseMost, 100 + (100 * room) / lowest)))
  lowest = math.huge
  turn = 0
}
