/** DNS messages signed with a shared key (TSIG with HMAC-SHA256, RFC 8945). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { lastRecord, recordClasses, recordTypes, wireName, wireRecord } from './wire.ts'

/** `secret` in base64. */
export type TsigKey = { name: string; secret: string }

const algorithm = wireName('hmac-sha256')
/** The clock skew allowed between both sides. */
const fudgeSeconds = 300
const macBytes = 32

function timers(seconds: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUIntBE(seconds, 0, 6)
  bytes.writeUInt16BE(fudgeSeconds, 6)
  return bytes
}

/** No error code and no other data. */
const noError = Buffer.alloc(4)

/**
 * The parts of the record that are signed besides the message: name, class, TTL, algorithm, times, error and other
 * data.
 */
const variables = (name: Buffer, at: Buffer, error: Buffer) =>
  Buffer.concat([name, Buffer.from([0, recordClasses.ANY, 0, 0, 0, 0]), algorithm, at, error])

const macOf = (key: TsigKey, parts: Uint8Array[]): Buffer =>
  createHmac('sha256', Buffer.from(key.secret, 'base64')).update(Buffer.concat(parts)).digest()

/** The prefix that a response's signature covers in addition: the MAC of the request. */
const before = (mac: Uint8Array | undefined): Uint8Array[] => (mac ? [Buffer.from([0, mac.length]), mac] : [])

/** Appends the signature as the message's last record. `requestMac` is the request's MAC if this is a response. */
export function signMessage(
  message: Buffer,
  key: TsigKey,
  seconds: number,
  requestMac?: Uint8Array,
): { message: Buffer; mac: Buffer } {
  const name = wireName(key.name.toLowerCase())
  const at = timers(seconds)
  const mac = macOf(key, [...before(requestMac), message, variables(name, at, noError)])
  const data = Buffer.concat([algorithm, at, Buffer.from([0, mac.length]), mac, message.subarray(0, 2), noError])
  const record = wireRecord({ name, type: recordTypes.TSIG, class: recordClasses.ANY, ttl: 0, data })
  const signed = Buffer.concat([message, record])
  signed.writeUInt16BE(message.readUInt16BE(10) + 1, 10)
  return { message: signed, mac }
}

/**
 * Returns the message without its signature, and the signature; undefined if the key did not sign it. Checking the
 * clock is up to the caller: `seconds` is when it was signed.
 */
export function verifyMessage(
  message: Buffer,
  key: TsigKey,
  requestMac?: Uint8Array,
): { message: Buffer; mac: Buffer; seconds: number } | undefined {
  const record = lastRecord(message)
  const name = wireName(key.name.toLowerCase())
  if (record?.type !== recordTypes.TSIG || record.data.length < algorithm.length + 16 + macBytes) return undefined
  const given = record.data.subarray(0, algorithm.length).toString('latin1').toLowerCase()
  if (
    given !== algorithm.toString('latin1') ||
    record.name.toString('latin1').toLowerCase() !== name.toString('latin1')
  )
    return undefined
  const at = record.data.subarray(algorithm.length, algorithm.length + 8)
  const size = record.data.readUInt16BE(algorithm.length + 8)
  const mac = record.data.subarray(algorithm.length + 10, algorithm.length + 10 + size)
  const plain = Buffer.from(message.subarray(0, record.at))
  plain.writeUInt16BE(message.readUInt16BE(10) - 1, 10)
  const rest = record.data.subarray(algorithm.length + 10 + size)
  // The id may have been changed in transit; the original one was signed.
  rest.copy(plain, 0, 0, 2)
  const wanted = macOf(key, [...before(requestMac), plain, variables(name, at, rest.subarray(2))])
  const isSame = mac.length === wanted.length && timingSafeEqual(mac, wanted)
  return isSame ? { message: plain, mac: Buffer.from(mac), seconds: at.readUIntBE(0, 6) } : undefined
}
