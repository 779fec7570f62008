/** Enough DER to write a certificate request and a self-signed certificate; Node can read both but write neither. */
import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'

function element(tag: number, ...contents: Uint8Array[]): Buffer {
  const body = Buffer.concat(contents)
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  const digits = length.subarray(length.findIndex((byte) => byte !== 0))
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length]), digits, body])
}

const sequence = (...items: Uint8Array[]) => element(0x30, ...items)
const set = (...items: Uint8Array[]) => element(0x31, ...items)
const integer = (bytes: Uint8Array) => element(0x02, bytes)
const bitString = (bytes: Uint8Array) => element(0x03, Buffer.of(0), bytes)
/** UTCTime, with a two-digit year: mandatory in certificates until 2049. */
const time = (date: Date) =>
  element(
    0x17,
    Buffer.from(
      date
        .toISOString()
        .slice(2)
        .replace(/[-:T]|\.\d+/g, ''),
    ),
  )

const commonName = Buffer.from('0603550403', 'hex')
const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'))

const nameOf = (name: string) => sequence(set(sequence(commonName, element(0x0c, Buffer.from(name)))))

function signed(body: Buffer, key: KeyObject): Buffer {
  return sequence(body, ecdsaWithSha256, bitString(sign('sha256', body, key)))
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

const publicDer = (key: KeyObject) => createPublicKey(key).export({ type: 'spki', format: 'der' })

/** A PKCS#10 request for a P-256 key, in PEM. */
export function certificateRequest(key: KeyObject, name: string): string {
  const version = integer(Buffer.of(0))
  const attributes = element(0xa0)
  return pem('CERTIFICATE REQUEST', signed(sequence(version, nameOf(name), publicDer(key), attributes), key))
}

/** A self-signed certificate for a P-256 key, in PEM. */
export function selfSigned(key: KeyObject, name: string, years: number): string {
  const from = new Date(Date.now() - 3_600_000)
  const to = new Date(from)
  to.setUTCFullYear(to.getUTCFullYear() + years)
  // Clearing the top bit keeps the serial positive; setting the next one avoids a leading zero byte.
  const serial = randomBytes(16)
  serial[0] = (serial[0]! & 0x7f) | 0x40
  const version = element(0xa0, integer(Buffer.of(2)))
  const validity = sequence(time(from), time(to))
  const parts = [version, integer(serial), ecdsaWithSha256, nameOf(name), validity, nameOf(name), publicDer(key)]
  return pem('CERTIFICATE', signed(sequence(...parts), key))
}
