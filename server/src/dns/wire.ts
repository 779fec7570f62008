/** The binary format of DNS messages (RFC 1035), as far as updates need it. */

import { parseAddress } from '@breakwater/contract/addresses.ts'

export const recordTypes = { A: 1, CNAME: 5, SOA: 6, TXT: 16, AAAA: 28, TSIG: 250, CAA: 257 } as const
export const recordClasses = { IN: 1, NONE: 254, ANY: 255 } as const
export const headBytes = 12

/** A name on the wire: length-prefixed labels, ended by an empty one. */
export const wireName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .replace(/\.$/, '')
      .split('.')
      .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]),
    Buffer.from([0]),
  ])

/** A text on the wire: strings of at most 255 bytes. */
export function wireText(text: string): Buffer {
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0; at === 0 || at < bytes.length; at += 255) {
    const piece = bytes.subarray(at, at + 255)
    pieces.push(Buffer.from([piece.length]), piece)
  }
  return Buffer.concat(pieces)
}

/** An address on the wire: four bytes, or sixteen. */
export function wireAddress(text: string): Buffer {
  const address = parseAddress(text)
  if (!address) throw new Error(`${text} is no address`)
  const digits = address.family === 4 ? 8 : 32
  return Buffer.from(address.value.toString(16).padStart(digits, '0').slice(-digits), 'hex')
}

const uint16 = (value: number) => Buffer.from([value >> 8, value & 255])

export type WireRecord = { name: Buffer; type: number; class: number; ttl: number; data: Buffer }

export function wireRecord({ name, type, class: of, ttl, data }: WireRecord): Buffer {
  const rest = Buffer.alloc(10)
  rest.writeUInt16BE(type, 0)
  rest.writeUInt16BE(of, 2)
  rest.writeUInt32BE(ttl, 4)
  rest.writeUInt16BE(data.length, 8)
  return Buffer.concat([name, rest, data])
}

/** A message: header, one question (in an update: the zone), and the records of the other three sections. */
export function wireMessage(
  id: number,
  flags: number,
  question: { name: Buffer; type: number },
  [first, second, third]: readonly [Buffer[], Buffer[], Buffer[]],
): Buffer {
  const counts = [1, first.length, second.length, third.length].map(uint16)
  const asked = [question.name, uint16(question.type), uint16(recordClasses.IN)]
  return Buffer.concat([uint16(id), uint16(flags), ...counts, ...asked, ...first, ...second, ...third])
}

/** The offset after a name, which a compression pointer ends. Throws a RangeError beyond the end of the message. */
function afterName(message: Buffer, from: number): number {
  let at = from
  for (;;) {
    const size = message.readUInt8(at)
    if (size >= 0xc0) return at + 2
    at += size + 1
    if (size === 0) return at
  }
}

/**
 * The last record of a message with its offset, assuming uncompressed names. Undefined if there is none. Throws a
 * RangeError if the message is truncated.
 */
export function lastRecord(message: Buffer): (WireRecord & { at: number }) | undefined {
  let at = headBytes
  for (let questions = message.readUInt16BE(4); questions > 0; questions -= 1) at = afterName(message, at) + 4
  const count = message.readUInt16BE(6) + message.readUInt16BE(8) + message.readUInt16BE(10)
  let last: (WireRecord & { at: number }) | undefined
  for (let read = 0; read < count; read += 1) {
    const named = afterName(message, at)
    const from = named + 10
    const end = from + message.readUInt16BE(named + 8)
    last = {
      at,
      name: message.subarray(at, named),
      type: message.readUInt16BE(named),
      class: message.readUInt16BE(named + 2),
      ttl: message.readUInt32BE(named + 4),
      data: message.subarray(from, end),
    }
    at = end
  }
  return last
}
