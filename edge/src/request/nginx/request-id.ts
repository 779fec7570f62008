/**
 * Request ids: 32 hexadecimal digits, unique in a group of nodes. The first 16 are unique too: they are the nonce of a
 * reference (contract/src/edge/reference.ts). 26 digits are drawn at random when a worker starts and after every
 * 16,777,216 requests; the six in between number the requests, each number once, in a scattered order. nginx's own
 * `$request_id` gets random bytes from OpenSSL each time, which costs more than all of a hit's logging.
 */
import { band, rshift } from 'bit'
import * as ffi from 'ffi'
import { fillRandom } from './crypto.ts'
import { setBytes } from './variables.ts'

const digits = 32
/** The position of the six digits that number the requests. */
const numbered = 10
const numbers = 0x1000000
/** Odd, so that its multiples produce each number exactly once. */
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

/** Gives the current request its id, as `$bw_id`. */
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
