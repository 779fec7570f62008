/**
 * A rotated log: nginx writes `requests.log`, and `requests.<n>.log` are the rotated files. A place in it is a file's
 * inode and an offset, which a rename does not change.
 */
import { constants, lstatSync, readdirSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './files.ts'

/** After this long without a change, no worker writes to a renamed file any more. */
const SETTLED_MS = 5000

export type Place = { ino: number; offset: number }
export type Segment = { path: string; ino: number; size: number; mtimeMs: number; live: boolean; number: number }

/** Complete lines, from `place` to the offset `end` in the same file. */
export type Lines = { place: Place; end: number; bytes: Buffer; rows: number }

/** `place` is where to continue next time, not counting the returned lines. */
export type Found = { lines?: Lines; place: Place | undefined }

export type SegmentedLog = {
  /** All files, oldest first; the live one, if it exists, is last. */
  list(): Promise<Segment[]>
  /** The next complete lines after a place. Skips to the next file once one is read to its end and settled. */
  next(place: Place | undefined, bytesMax: number, rowsMax: number): Promise<Found>
  /** How many bytes there are after a place. */
  waiting(place: Place | undefined): Promise<number>
  /** The same lines again, or undefined if the file is gone. */
  again(place: Place, end: number): Promise<Buffer | undefined>
  /** Renames the live file if it is longer than this. */
  rotate(bytesMax: number): Promise<boolean>
  /** Removes the files before a place: their rows are uploaded. */
  removeBefore(place: Place): Promise<void>
}

export function segmentedLog(folder: string, name: string): SegmentedLog {
  /** Whether the last listing found no file at all. */
  let isEmpty = false
  const liveName = `${name}.log`
  const renamed = new RegExp(`^${name}\\.(\\d+)\\.log$`)

  // Synchronous: a few names several times a second. Asynchronous calls in threads would cost five times as much.
  async function list(): Promise<Segment[]> {
    // Only this process renames the live file, so it is the first to appear.
    if (isEmpty && !segmentAt(liveName)) return []
    const found = readdirSync(folder).flatMap((file) => segmentAt(file) ?? [])
    isEmpty = found.length === 0
    return found.sort((a, b) => a.number - b.number)
  }

  function segmentAt(file: string): Segment | undefined {
    const live = file === liveName
    const number = live ? Number.MAX_SAFE_INTEGER : Number(renamed.exec(file)?.[1] ?? Number.NaN)
    if (Number.isNaN(number)) return undefined
    const path = join(folder, file)
    // The file may be renamed between `readdirSync` and `lstatSync`; the next round finds it.
    const facts = lstatSync(path, { throwIfNoEntry: false })
    return facts?.isFile()
      ? { path, ino: facts.ino, size: facts.size, mtimeMs: facts.mtimeMs, live, number }
      : undefined
  }

  /** How many bytes follow a place in the live file; undefined if the place is elsewhere. A call instead of a listing. */
  function afterInLive(place: Place | undefined): number | undefined {
    const live = segmentAt(liveName)
    if (!live || live.ino !== place?.ino) return undefined
    // Shorter than the offset: truncated, so it is read from the start.
    return live.size < place.offset ? live.size : live.size - place.offset
  }

  async function read(path: string, from: number, length: number): Promise<Buffer> {
    // The workers may write to this folder, and the agent may be root: it must not follow a symlink.
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  }

  async function next(place: Place | undefined, bytesMax: number, rowsMax: number): Promise<Found> {
    // Several times a second, and nearly always without anything new.
    if (afterInLive(place) === 0) return { place }
    const files = await list()
    let at = Math.max(
      0,
      files.findIndex((file) => file.ino === place?.ino),
    )
    let offset = place && files[at]?.ino === place.ino ? place.offset : 0
    for (let file = files[at]; file; file = files[++at], offset = 0) {
      // A file shorter than the offset was truncated: read it from the start.
      if (file.size < offset) offset = 0
      const chunk = await read(file.path, offset, Math.min(bytesMax, file.size - offset))
      const cut = wholeLines(chunk, rowsMax)
      const here = { ino: file.ino, offset }
      if (cut.rows > 0) {
        return {
          lines: { place: here, end: offset + cut.length, bytes: chunk.subarray(0, cut.length), rows: cut.rows },
          place: here,
        }
      }
      // No line is that long: skip the damaged data. What nginx writes after it is intact again.
      if (chunk.length === bytesMax) return { place: { ino: file.ino, offset: offset + chunk.length } }
      const settled = !file.live && at < files.length - 1 && Date.now() - file.mtimeMs > SETTLED_MS
      if (!settled) return { place: here }
    }
    return { place }
  }

  async function waiting(place: Place | undefined) {
    const inLive = afterInLive(place)
    if (inLive !== undefined) return inLive
    const files = await list()
    const at = Math.max(
      0,
      files.findIndex((file) => file.ino === place?.ino),
    )
    const bytes = files.slice(at).reduce((sum, { size }) => sum + size, 0)
    const read = place && files[at]?.ino === place.ino ? place.offset : 0
    // Shorter than the offset: truncated, so it is read from the start.
    return read > (files[at]?.size ?? 0) ? bytes : bytes - read
  }

  async function again(place: Place, end: number) {
    const file = (await list()).find(({ ino, size }) => ino === place.ino && size >= end)
    return file && (await read(file.path, place.offset, end - place.offset))
  }

  async function rotate(bytesMax: number) {
    const live = segmentAt(liveName)
    if (!live || live.size <= bytesMax) return false
    const last = (await list()).filter((file) => !file.live).at(-1)?.number ?? 0
    await rename(live.path, join(folder, `${name}.${last + 1}.log`))
    await syncFolder(folder)
    return true
  }

  async function removeBefore(place: Place) {
    const files = await list()
    const at = files.findIndex((file) => file.ino === place.ino)
    for (const file of files.slice(0, Math.max(0, at))) await rm(file.path, { force: true })
  }

  // Serialized: a listing taken during a rename may miss the file, and its rows would count as lost.
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn =
    <A extends unknown[], R>(deed: (...given: A) => Promise<R>) =>
    (...given: A): Promise<R> => {
      const done = turn.then(() => deed(...given))
      turn = done.catch(() => {})
      return done
    }

  return {
    list: inTurn(list),
    next: inTurn(next),
    waiting: inTurn(waiting),
    again: inTurn(again),
    rotate: inTurn(rotate),
    removeBefore: inTurn(removeBefore),
  }
}

/** How many bytes and rows of a chunk are complete lines. Pure. */
export function wholeLines(chunk: Buffer, rowsMax: number): { length: number; rows: number } {
  let length = 0
  let rows = 0
  while (rows < rowsMax) {
    const end = chunk.indexOf(10, length)
    if (end < 0) break
    length = end + 1
    rows++
  }
  return { length, rows }
}
