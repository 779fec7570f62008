/**
 * Armored OpenPGP public keys: their fingerprints, their names, and the bytes for the verifier. Nothing is verified
 * here.
 */
import { createHash } from 'node:crypto'
import type { RuleSetPublisher } from '@breakwater/contract/nodes/rule-set-publishers.ts'

export type PublicKeys = { publishers: RuleSetPublisher[]; keyring: Buffer }

const block = /-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n([\s\S]*?)-----END PGP PUBLIC KEY BLOCK-----/g

/**
 * Reads one block after the other. Undefined if any part of the text is not a usable public key (RFC 9580, version 4).
 */
export function readPublicKeys(text: string): PublicKeys | undefined {
  if (text.replace(block, '').trim() !== '') return undefined
  const blocks = [...text.matchAll(block)].map(([, body]) => dearmored(body!))
  const keyring = Buffer.concat(blocks.flatMap((bytes) => bytes ?? []))
  if (blocks.includes(undefined)) return undefined
  const publishers: RuleSetPublisher[] = []
  for (const packet of packetsOf(keyring)) {
    if (packet === undefined || packet.tag === tags.secretKey) return undefined
    if (packet.tag === tags.publicKey) {
      if (packet.body[0] !== 4) return undefined
      publishers.push({ name: '', fingerprint: fingerprintOf(packet.body) })
    } else if (packet.tag === tags.userId) {
      const last = publishers.at(-1)
      if (last?.name === '') last.name = packet.body.toString('utf8').slice(0, 200)
    }
    if (publishers.length === 0) return undefined
  }
  return { publishers, keyring }
}

/** Headers end at an empty line; a checksum may follow the data on a line of its own. */
function dearmored(body: string): Buffer | undefined {
  const lines = body.split(/\r?\n/)
  const start = lines.findIndex((line) => line.trim() === '')
  const data = lines.slice(start + 1).filter((line) => line !== '' && !line.startsWith('='))
  const text = data.join('')
  return start >= 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

/** RFC 9580, section 5. */
const tags = { secretKey: 5, publicKey: 6, userId: 13 }

type Packet = { tag: number; body: Buffer }

/** Section 4.2; yields undefined for a packet that is truncated, or of a length that keys do not have. */
function* packetsOf(bytes: Buffer): Generator<Packet | undefined> {
  for (let at = 0; at < bytes.length; ) {
    const head = headOf(bytes, at)
    if (head === undefined || head.start + head.length > bytes.length) {
      yield undefined
      return
    }
    at = head.start + head.length
    yield { tag: head.tag, body: bytes.subarray(head.start, at) }
  }
}

function headOf(bytes: Buffer, at: number): { tag: number; start: number; length: number } | undefined {
  const first = bytes[at]!
  if ((first & 0x80) === 0) return undefined
  const room = bytes.length - at
  if ((first & 0x40) === 0) {
    const size = [1, 2, 4][first & 3]
    if (size === undefined || room < 1 + size) return undefined
    return { tag: (first >> 2) & 15, start: at + 1 + size, length: bytes.readUIntBE(at + 1, size) }
  }
  const [tag, one] = [first & 63, bytes[at + 1] ?? 0]
  if (one < 192) return { tag, start: at + 2, length: one }
  if (one < 224 && room >= 3) return { tag, start: at + 3, length: (one - 192) * 256 + bytes[at + 2]! + 192 }
  return one === 255 && room >= 6 ? { tag, start: at + 6, length: bytes.readUInt32BE(at + 2) } : undefined
}

/** Section 5.5.4, for version 4. */
function fingerprintOf(body: Buffer): string {
  const head = Buffer.from([0x99, body.length >> 8, body.length & 255])
  return createHash('sha1').update(head).update(body).digest('hex').toUpperCase()
}
