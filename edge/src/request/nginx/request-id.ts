/**
 * Ids of requests: 32 hexadecimal digits, of which no two are alike in a group of nodes, nor their first 16, which are
 * the nonce of a reference (contract/src/edge/reference.ts). 26 of them are drawn when a worker begins and after every
 * 16,777,216 requests; the six between them number the requests, each number once, in no plain order. nginx's own
 * `$request_id` asks OpenSSL for random bytes each time, which costs more than all that a hit is logged with.
 */
import { band, rshift } from 'bit'
import * as ffi from 'ffi'
import { fillRandom } from './crypto.ts'
import { setBytes } from './variables.ts'

const digits = 32
/** Where the six digits stand that number the requests. */
const numbered = 10
const numbers = 0x1000000
/** Odd, so that its multiples name each number once. */
const stride = 0x9e3779

const hex = ffi.new('unsigned char[17]', '0123456789abcdef')
const id = ffi.new('unsigned char[?]', digits)
const drawn = ffi.new('unsigned char[?]', digits)
let used = numbers

function draw(): void {
  fillRandom(drawn, digits)
  for (let n = 0; n < digits; n++) id[n] = hex[band(drawn[n] as number, 15)]!
  used = 0
}

/** Gives the request that nginx is serving its id, as `$bw_id`. */
export function nameRequest(): void {
  if (used >= numbers) draw()
  used++
  const number = band(used * stride, numbers - 1)
  id[numbered] = hex[rshift(number, 20)]!
  id[numbered + 1] = hex[band(rshift(number, 16), 15)]!
  id[numbered + 2] = hex[band(rshift(number, 12), 15)]!
  id[numbered + 3] = hex[band(rshift(number, 8), 15)]!
  id[numbered + 4] = hex[band(rshift(number, 4), 15)]!
  id[numbered + 5] = hex[band(number, 15)]!
  setBytes('bw_id', id, digits)
}
