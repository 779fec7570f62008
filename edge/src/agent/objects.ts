/** Artefacts and parts on disk: immutable files named by the SHA-256 of their bytes. */
import { createHash } from 'node:crypto'
import { chmod, chown, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isFull, readIfThere, replaceFile, syncFolder } from './files.ts'
import type { Layout } from './layout.ts'
import { reasonOf } from './log.ts'

const WRITERS = 16

export type ObjectStore = {
  /** The bytes, or undefined if the file is missing or its hash does not match its name. */
  read(hash: string): Promise<Buffer | undefined>
  /** As what kind of part an object on disk passed its check, by hash: it is not read again for each of its sites. */
  checked: Map<string, string>
  /** Writes and syncs objects. Returns why some could not be written, by hash. */
  write(objects: ReadonlyMap<string, Uint8Array>): Promise<Map<string, string>>
  /** Removes all objects but these. Returns how many were removed. */
  sweep(keep: ReadonlySet<string>): Promise<number>
}

export const hashOf = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

export function objectStore(layout: Layout): ObjectStore {
  const pathOf = (hash: string) => join(layout.objects, hash.slice(0, 2), hash)
  const folders = new Set<string>()

  async function read(hash: string): Promise<Buffer | undefined> {
    const bytes = await readIfThere(pathOf(hash))
    return bytes && hashOf(bytes) === hash ? bytes : undefined
  }

  async function makeFolder(folder: string) {
    if (folders.has(folder)) return
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o750)
    if (layout.readable.gid !== undefined) await chown(folder, -1, layout.readable.gid)
    await syncFolder(layout.objects)
    folders.add(folder)
  }

  async function put(hash: string, bytes: Uint8Array): Promise<string> {
    const path = pathOf(hash)
    const folder = dirname(path)
    await makeFolder(folder)
    await replaceFile(path, bytes, layout.readable)
    return folder
  }

  const checked = new Map<string, string>()

  return {
    read,
    checked,
    async write(objects) {
      const reasons = new Map<string, string>()
      const touched = new Set<string>()
      const waiting = [...objects]
      async function writer() {
        for (let next = waiting.pop(); next; next = waiting.pop()) {
          const [hash, bytes] = next
          try {
            touched.add(await put(hash, bytes))
          } catch (error) {
            if (isFull(error)) throw error
            reasons.set(hash, reasonOf(error))
          }
        }
      }
      // Most time is spent waiting for the disk, which handles several writes at once; folders are synced at the end.
      await Promise.all(Array.from({ length: WRITERS }, writer))
      await Promise.all([...touched].map(syncFolder))
      return reasons
    },
    async sweep(keep) {
      let gone = 0
      for (const folder of await readdir(layout.objects)) {
        // Temporary files of a killed agent match no hash, so they are removed as well.
        const names = (await readdir(join(layout.objects, folder))).filter((name) => !keep.has(name))
        for (const name of names) {
          checked.delete(name)
          await rm(join(layout.objects, folder, name), { force: true })
        }
        gone += names.length
      }
      return gone
    },
  }
}
