/** Files that survive a kill and a power cut: everything is synced before anyone is told that it exists. */
import { randomBytes } from 'node:crypto'
import { chown, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { passing } from './failpoint.ts'

/** Who besides its owner may read a file. */
export type Access = { mode: number; gid?: number | undefined }

/** Makes a change of names in this folder (a new file, a rename, a removal) durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Replaces a file atomically: temporary file, sync, rename, folder sync. Readers see either the old or the new one. */
export async function writeDurably(path: string, data: string | Uint8Array, access: Access): Promise<void> {
  await replaceFile(path, data, access)
  passing?.(`${basename(path)} renamed`)
  await syncFolder(dirname(path))
  passing?.(`${basename(path)} kept`)
}

/** Makes the names of temporary files unique to this process; `written` counts them. */
const run = randomBytes(6).toString('hex')
let written = 0

/** Like `writeDurably`, without the folder sync: for many files, after which the caller syncs their folder once. */
export async function replaceFile(path: string, data: string | Uint8Array, access: Access): Promise<void> {
  const temporary = `${path}.${run}-${(written++).toString(36)}.tmp`
  try {
    const handle = await open(temporary, 'wx', access.mode)
    try {
      await handle.chmod(access.mode)
      if (access.gid !== undefined) await chown(temporary, -1, access.gid)
      await handle.writeFile(data)
      passing?.(`${basename(path)} written`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    passing?.(`${basename(path)} synced`)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** The file's content, or undefined if it does not exist. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Whether the disk is full: then the data itself is fine, and writing it is retried soon. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')
}
