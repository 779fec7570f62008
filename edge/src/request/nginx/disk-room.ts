/** Whether the disk has room for the cache: nginx breaks off a response that it cannot write. */
import * as ffi from 'ffi'
import { node } from './node.ts'

ffi.cdef(`
struct bw_statfs { long f_type; long f_bsize; uint64_t f_blocks; uint64_t f_bfree; uint64_t f_bavail; uint64_t rest[24]; };
int statfs(const char *path, struct bw_statfs *into);
`)

/** The agent keeps the same amount free by deleting the oldest rows, so that settings can still reach this node. */
const reserveBytes = 256_000_000
const reserveShare = 0.02

const facts = ffi.new('struct bw_statfs')
let room = true

/** Checks again, once a second: it may block if the disk does not respond. */
export function checkDiskRoom(): void {
  if ((ffi.C.statfs!(node().folder, facts) as number) !== 0) return
  const block = tonumber(facts.f_bsize) ?? 0
  const free = (tonumber(facts.f_bavail) ?? 0) * block
  const all = (tonumber(facts.f_blocks) ?? 0) * block
  const had = room
  room = free > math.min(reserveBytes, all * reserveShare)
  if (had !== room) ngx.log(ngx.WARN, room ? 'the disk has room again' : 'the disk is full: nothing new is cached')
}

export function hasRoom(): boolean {
  return room
}
