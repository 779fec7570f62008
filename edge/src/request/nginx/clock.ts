/** System clocks, in seconds. */
import * as ffi from 'ffi'

ffi.cdef(`
typedef struct { long seconds; long nanoseconds; } bw_time;
int clock_gettime(int clock, bw_time *time);
`)

export const monotonic = 1
/** The CPU time of this thread. */
export const ofThisThread = 3
const time = ffi.new('bw_time')

export function clock(which: number): number {
  ffi.C.clock_gettime!(which, time)
  return tonumber(time.seconds)! + tonumber(time.nanoseconds)! / 1e9
}
