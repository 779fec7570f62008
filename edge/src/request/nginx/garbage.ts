/**
 * How much garbage Lua's collector lets gather before it marks and sweeps once more. A share of what is in use alone is
 * too little for a worker with few sites, which would mark and sweep all the time, and much for one with many.
 */

/** KB of garbage that a worker may hold in any case. */
const room = 6 * 1024
/** Percent of what is in use at which a cycle begins: as much as nginx begins with, and most. */
export const pauseLeast = 160
const pauseMost = 1000
/** Turns of a second between two looks back: in each there are some ends of cycles. */
const turns = 30

let lowest = math.huge
/** Soon after a worker began, and then in its turns. */
let turn = turns - 2

/** To be called each second: sets the pause by the least that was in use lately, which is what a cycle left. */
export function tuneCollector(): void {
  lowest = math.min(lowest, collectgarbage('count'))
  turn++
  if (turn < turns) return
  collectgarbage('setpause', math.max(pauseLeast, math.min(pauseMost, 100 + (100 * room) / lowest)))
  lowest = math.huge
  turn = 0
}
