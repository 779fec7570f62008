/**
 * Numbers by address (contract/src/edge/address-table.ts), in a file that each worker maps. A search always takes the
 * same number of steps, without a loop or a branch, so that LuaJIT compiles it into its caller's trace.
 */
import * as ffi from 'ffi'
import { mapFile } from './mapped-file.ts'
import { node } from './node.ts'
import { messageOf } from './raise.ts'

const magic = 'BWADDRM1'
const headerBytes = 16
const v4Places = 1048576
const v6Places = 524288
const bytes = headerBytes + v4Places * 8 + v6Places * 12
const damaged = 'a table of addresses is damaged'

type Numbers = Record<number, number>
export type AddressTable = { v4: Numbers; v4Values: Numbers; v6: Numbers; v6Values: Numbers; owner: unknown }

/**
 * The table that came with the release. Returns undefined if there is none or it is damaged; no address has a number
 * then.
 */
export function openRelease(path: string | undefined): AddressTable | undefined {
  if (path === undefined) return undefined
  const [ok, found] = pcall(() => open(path))
  if (ok) return found as AddressTable | undefined
  ngx.log(ngx.ERR, messageOf(found))
  return undefined
}

/** A table that the operator chose, by its hash. Throws if it is missing or damaged. */
export function openChosen(hash: string): AddressTable {
  const table = open(`${node().folder}/address-data/${hash}.bin`)
  if (table === undefined) throw new Error(`the address data ${hash} is missing`)
  return table
}

function open(path: string): AddressTable | undefined {
  const file = mapFile(path, headerBytes, damaged)
  if (file === undefined) return undefined
  const { owner } = file
  if (file.size !== bytes || ffi.string(owner, 8) !== magic) throw new Error(damaged)
  const at = (offset: number): unknown => ffi.cast('const unsigned char *', owner) + (offset as never)
  const v6At = headerBytes + v4Places * 8
  return {
    v4: ffi.cast('const uint32_t *', at(headerBytes)),
    v4Values: ffi.cast('const uint32_t *', at(headerBytes + v4Places * 4)),
    v6: ffi.cast('const double *', at(v6At)),
    v6Values: ffi.cast('const uint32_t *', at(v6At + v6Places * 8)),
    owner,
  }
}

/** The last place known to begin at or before the address: moves on by `half` places if the one there does too. */
function step(starts: Numbers, low: number, half: number, address: number): number {
  return low + half * math.min(1, math.max(0, address - starts[low + half]! + 1))
}

function placeOf(starts: Numbers, from: number, address: number): number {
  let low = step(starts, from, 262144, address)
  low = step(starts, low, 131072, address)
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

/** The number of an address given as 4 or 16 bytes; 0 if the table has no entry for it. */
export function valueIn(table: AddressTable, address: string): number {
  const [a, b, c, d] = string.byte(address, 1, 4)
  const first = a! * 16777216 + b! * 65536 + c! * 256 + d!
  if (address.length === 4) return table.v4Values[placeOf(table.v4, step(table.v4, 0, 524288, first), first)]!
  const [e, f] = string.byte(address, 5, 6)
  return table.v6Values[placeOf(table.v6, 0, first * 65536 + e! * 256 + f!)]!
}
