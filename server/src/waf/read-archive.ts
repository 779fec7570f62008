/**
 * The texts in an uploaded archive, .tar.gz or .zip. An archive crafted to cost time, memory or disk is rejected.
 * Writes nothing to disk.
 */
import { gunzipSync } from 'node:zlib'
import tar from 'tar-stream'
import { BadArchive, bounds, Unpacking } from './unpacking.ts'
import { unzip } from './unzip.ts'

/** Texts of `.conf` and `.data` files, and of the setup example, by their paths. Throws `BadArchive`. */
export async function readArchive(archive: Buffer): Promise<Map<string, string>> {
  const unpacking = new Unpacking()
  if (archive.readUInt32LE(0) === 0x04034b50) unzip(archive, unpacking)
  else await untar(gunzipped(archive), unpacking)
  return unpacking.files
}

function gunzipped(archive: Buffer): Buffer {
  try {
    // A tar has headers and padding in addition to its files.
    return gunzipSync(archive, { maxOutputLength: bounds.bytes + bounds.entries * 2048 })
  } catch (cause) {
    throw new BadArchive('neither .tar.gz nor .zip, damaged, or too long', { cause })
  }
}

async function untar(bytes: Buffer, unpacking: Unpacking): Promise<void> {
  const extract = tar.extract()
  extract.end(bytes)
  try {
    for await (const part of extract) {
      const { name, type, size = 0 } = part.header
      const isWanted = unpacking.wants(name)
      if (type !== 'file' && type !== 'directory') throw new BadArchive(`${name} is no file`)
      if (!isWanted || type === 'directory') {
        part.resume()
        continue
      }
      if (size > unpacking.room) throw new BadArchive('too long')
      const chunks: Uint8Array[] = []
      for await (const chunk of part) chunks.push(chunk as Uint8Array)
      unpacking.keep(name, Buffer.concat(chunks))
    }
  } catch (cause) {
    throw cause instanceof BadArchive ? cause : new BadArchive('damaged', { cause })
  }
}
