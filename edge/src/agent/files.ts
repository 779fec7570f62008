/** Files that survive a kill and a power cut: everything is synced before somebody is told that it is there. */
import { randomBytes } from 'node:crypto'
import { chown, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { passing } from './failpoint.ts'

/** Who may read a file beside its owner. */
export type Access = { mode: number; gid?: number | undefined }

/** Makes a name in this folder (a new file, a rename, a removal) permanent. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Replaces a file in one step: temporary file, sync, rename, sync of the folder. Readers see the old or the new one. */
export async function writeDurably(path: string, data: string | Uint8Array, access: Access): Promise<void> {
  await replaceFile(path, data, access)
  passing?.(`${basename(path)} renamed`)
  await syncFolder(dirname(path))
  passing?.(`${basename(path)} kept`)
}

/** What no other process has in the names of its temporary files, and how many this one has made. */
const run = randomBytes(6).toString('hex')
let written = 0

/** The same without the folder's sync, for many files of one folder: the caller syncs it once, when all are there. */
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

/** The file's text, or nothing where it does not exist. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Whether the disk is full: nothing is wrong with what was to be written, and all of it is due again soon. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')
}
