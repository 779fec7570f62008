/** Whether the disk has room for what the cache would keep: nginx breaks off an answer that it cannot write down. */
import * as ffi from 'ffi'
import { node } from './node.ts'

ffi.cdef(`
struct bw_statfs { long f_type; long f_bsize; uint64_t f_blocks; uint64_t f_bfree; uint64_t f_bavail; uint64_t rest[24]; };
int statfs(const char *path, struct bw_statfs *into);
`)

/** The same is kept free by the agent, which gives up the oldest rows for it: settings must still reach this node. */
const reserveBytes = 256_000_000
const reserveShare = 0.02

const facts = ffi.new('struct bw_statfs')
let room = true

/** Looks anew. Once a second: it may block on a disk that does not answer. */
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
