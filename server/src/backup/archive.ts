/**
 * A backup is one file: a tar of entries, encrypted with a passphrase in the age format (age-encryption.org). It can be
 * opened with this program or with `age --decrypt | tar -x`. The last entry lists all others with their hashes; a
 * truncated file lacks it.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'
import tar from 'tar-stream'
import { z } from 'zod'

/** A name such as `postgres/sites/000001.copy` and its bytes, small enough to be held in memory. */
export type Entry = { name: string; bytes: Uint8Array }

const listName = 'manifest.json'
const Manifest = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  entries: z.array(z.object({ name: z.string(), bytes: z.number(), sha256: z.string() })),
})
export type Manifest = z.output<typeof Manifest>

/** An error in a backup, reported to the person at the shell. */
export class BackupError extends Error {}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Writes a backup to a temporary file and renames it once it is complete and on disk. */
export async function writeArchive(path: string, passphrase: string, entries: AsyncIterable<Entry>): Promise<Manifest> {
  const manifest: Manifest = { format: 1, madeAt: new Date().toISOString(), entries: [] }
  const pack = tar.pack()
  const add = (name: string, bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      pack.entry({ name, mode: 0o600 }, Buffer.from(bytes), (error) => (error ? reject(error) : resolve()))
    })
  const packing = (async () => {
    for await (const { name, bytes } of entries) {
      manifest.entries.push({ name, bytes: bytes.length, sha256: sha256(bytes) })
      await add(name, bytes)
    }
    await add(listName, Buffer.from(JSON.stringify(manifest)))
    pack.finalize()
  })()
  packing.catch((error: Error) => pack.destroy(error))
  const draft = `${path}.part`
  try {
    const encrypter = new Encrypter()
    encrypter.setPassphrase(passphrase)
    const sealed = await encrypter.encrypt(Readable.toWeb(Readable.from(pack)) as never)
    await pipeline(
      Readable.fromWeb(sealed as unknown as ReadableStream),
      createWriteStream(draft, { mode: 0o600, flush: true }),
    )
    await packing
    await rename(draft, path)
    await syncFolder(dirname(path))
    return manifest
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/**
 * Reads a backup's entries in order and checks each against the list at the end. Throws `BackupError` if they differ.
 */
export async function* readArchive(path: string, passphrase: string): AsyncGenerator<Entry> {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const extract = tar.extract()
  const opened = decrypter.decrypt(Readable.toWeb(createReadStream(path)) as never).catch(() => {
    throw new BackupError(`${path} cannot be opened: another passphrase, or no backup`)
  })
  const feeding = pipeline(Readable.fromWeb((await opened) as unknown as ReadableStream), extract)
  feeding.catch(() => {
    // The loop below reports it.
  })
  const seen: Manifest['entries'] = []
  let manifest: Manifest | undefined
  try {
    for await (const part of extract) {
      const chunks: Uint8Array[] = []
      for await (const chunk of part) chunks.push(chunk as Uint8Array)
      const bytes = Buffer.concat(chunks)
      if (part.header.name === listName) {
        manifest = Manifest.parse(JSON.parse(bytes.toString()))
        continue
      }
      seen.push({ name: part.header.name, bytes: bytes.length, sha256: sha256(bytes) })
      yield { name: part.header.name, bytes }
    }
    await feeding
  } catch (error) {
    throw error instanceof BackupError ? error : new BackupError(`${path} is damaged`, { cause: error })
  }
  if (!manifest) throw new BackupError(`${path} was cut off`)
  if (JSON.stringify(manifest.entries) !== JSON.stringify(seen))
    throw new BackupError(`${path} is not what was written`)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
