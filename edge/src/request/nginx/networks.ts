/**
 * The network (autonomous system) of an address: a file beside the request path (edge/src/networks/table.ts), mapped by
 * each worker. A search takes as many steps whatever it finds, without a loop and without a branch: so it is compiled with
 * what asks it.
 */
import * as ffi from 'ffi'
import { mapFile } from './mapped-file.ts'
import { node } from './node.ts'
import { messageOf } from './protect.ts'

const magic = 'BWASNET1'
const headerBytes = 16
const v4Places = 1048576
const v6Places = 262144
const bytes = headerBytes + v4Places * 8 + v6Places * 12
const damaged = 'the file of networks is damaged'

type Numbers = Record<number, number>
type Networks = { v4: Numbers; v4Asns: Numbers; v6: Numbers; v6Asns: Numbers; owner: unknown }

let current: Networks | undefined

/** Maps the file, once, when nginx starts. Without one no address is of a network. */
export function loadNetworks(): void {
  const path = node().networksFile
  if (path === undefined) return
  const [ok, found] = pcall(() => openNetworks(path))
  if (ok) current = found as Networks | undefined
  else ngx.log(ngx.ERR, messageOf(found))
}

function openNetworks(path: string): Networks | undefined {
  const file = mapFile(path, headerBytes, damaged)
  if (file === undefined) return undefined
  const { owner } = file
  if (file.size !== bytes || ffi.string(owner, 8) !== magic) throw new Error(damaged)
  const at = (offset: number): unknown => ffi.cast('const unsigned char *', owner) + (offset as never)
  const v6At = headerBytes + v4Places * 8
  return {
    v4: ffi.cast('const uint32_t *', at(headerBytes)),
    v4Asns: ffi.cast('const uint32_t *', at(headerBytes + v4Places * 4)),
    v6: ffi.cast('const double *', at(v6At)),
    v6Asns: ffi.cast('const uint32_t *', at(v6At + v6Places * 8)),
    owner,
  }
}

/** The last place known to begin before the address, `half` places further on where that one does, too. */
function step(starts: Numbers, low: number, half: number, address: number): number {
  return low + half * math.min(1, math.max(0, address - starts[low + half]! + 1))
}

function placeOf(starts: Numbers, from: number, address: number): number {
  let low = step(starts, from, 131072, address)
  low = step(starts, low, 65536, address)
  low = step(starts, low, 32768, address)
  low = step(starts, low, 16384, address)
  low = step(starts, low, 8192, address)
  low = step(starts, low, 4096, address)
  low = step(starts, low, 2048, address)
  low = step(starts, low, 1024, address)
  low = step(starts, low, 512, address)
  low = step(starts, low, 256, address)
  low = step(starts, low, 128, address)
  low = step(starts, low, 64, address)
  low = step(starts, low, 32, address)
  low = step(starts, low, 16, address)
  low = step(starts, low, 8, address)
  low = step(starts, low, 4, address)
  low = step(starts, low, 2, address)
  return step(starts, low, 1, address)
}

/** What was asked for last: several rules ask for the same, and a search each would make the compiled piece too large. */
let asked = ''
let found = 0

/** The number of the network of an address given as 4 or 16 bytes; 0 where no data knows it. */
export function asnOf(address: string): number {
  if (address === asked) return found
  found = search(address)
  asked = address
  return found
}

function search(address: string): number {
  if (current === undefined) return 0
  const [a, b, c, d] = string.byte(address, 1, 4)
  const first = a! * 16777216 + b! * 65536 + c! * 256 + d!
  if (address.length === 4) {
    const half = step(current.v4, 0, 524288, first)
    return current.v4Asns[placeOf(current.v4, step(current.v4, half, 262144, first), first)]!
  }
  const [e, f] = string.byte(address, 5, 6)
  return current.v6Asns[placeOf(current.v6, 0, first * 65536 + e! * 256 + f!)]!
}
