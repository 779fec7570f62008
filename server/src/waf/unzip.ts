/**
 * The files of a ZIP archive, by its central directory. Supports stored and deflated files, no encryption, no ZIP64.
 */
import { inflateRawSync } from 'node:zlib'
import { BadArchive, type Unpacking } from './unpacking.ts'

const endMark = 0x06054b50
const entryMark = 0x02014b50
const localMark = 0x04034b50
const endBytes = 22
const commentMax = 65_535

export function unzip(archive: Buffer, unpacking: Unpacking): void {
  try {
    readDirectory(archive, unpacking)
  } catch (cause) {
    // Offsets outside of the archive, and invalid streams.
    throw cause instanceof BadArchive ? cause : new BadArchive('damaged, or too long', { cause })
  }
}

function readDirectory(archive: Buffer, unpacking: Unpacking): void {
  const end = endOf(archive)
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== entryMark) throw new BadArchive('damaged')
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const path = archive.toString('utf8', at + 46, at + 46 + name)
    const isWanted = unpacking.wants(path)
    if (isLink(archive.readUInt32LE(at + 38))) throw new BadArchive(`${path} is no file`)
    if (isWanted) unpacking.keep(path, fileOf(archive, at, unpacking.room))
    at += 46 + name + extra + comment
  }
}

function endOf(archive: Buffer): number {
  for (let at = archive.length - endBytes; at >= Math.max(0, archive.length - endBytes - commentMax); at--)
    if (archive.readUInt32LE(at) === endMark) return at
  throw new BadArchive('damaged')
}

/** From the Unix file attributes. */
const isLink = (attributes: number): boolean => ((attributes >>> 16) & 0o170000) === 0o120000

function fileOf(archive: Buffer, entry: number, room: number): Buffer {
  const [flags, method] = [archive.readUInt16LE(entry + 8), archive.readUInt16LE(entry + 10)]
  const [packed, local] = [archive.readUInt32LE(entry + 20), archive.readUInt32LE(entry + 42)]
  if ((flags & 1) !== 0 || archive.readUInt32LE(local) !== localMark) throw new BadArchive('damaged or encrypted')
  const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  if (from + packed > archive.length) throw new BadArchive('damaged')
  const bytes = archive.subarray(from, from + packed)
  if (method === 0) return bytes
  if (method !== 8) throw new BadArchive('packed in an unknown way')
  return inflateRawSync(bytes, { maxOutputLength: Math.max(1, room) })
}
