/**
 * A log that grows and is renamed: `requests.log` is written to, `requests.<n>.log` are what was renamed before. A place
 * in it is a file's inode and an offset, which a rename leaves as they are.
 */
import { constants, lstatSync, readdirSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './files.ts'

/** After this long without a change nobody writes to a renamed file any more. */
const SETTLED_MS = 5000

export type Place = { ino: number; offset: number }
export type Segment = { path: string; ino: number; size: number; mtimeMs: number; live: boolean; number: number }

/** Whole lines, from `place` to `end` of the same file. */
export type Lines = { place: Place; end: number; bytes: Buffer; rows: number }

/** `place` is where to ask from next time, the lines not counted. */
export type Found = { lines?: Lines; place: Place | undefined }

export type SegmentedLog = {
  /** All files, the oldest first; the live one, where it exists, last. */
  list(): Promise<Segment[]>
  /** The next whole lines after a place. Skips to the next file where one is read to its end and settled. */
  next(place: Place | undefined, bytesMax: number, rowsMax: number): Promise<Found>
  /** How many bytes are there after a place. */
  waiting(place: Place | undefined): Promise<number>
  /** The same lines again, or nothing where the file is gone. */
  again(place: Place, end: number): Promise<Buffer | undefined>
  /** Renames the live file where it is longer than this. */
  rotate(bytesMax: number): Promise<boolean>
  /** Removes the files before a place: what was in them is uploaded. */
  removeBefore(place: Place): Promise<void>
}

export function segmentedLog(folder: string, name: string): SegmentedLog {
  const renamed = new RegExp(`^${name}\\.(\\d+)\\.log$`)

  // A few names, looked at several times a second: a thread for each look would cost five times as much.
  async function list(): Promise<Segment[]> {
    const found: Segment[] = []
    for (const file of readdirSync(folder)) {
      const live = file === `${name}.log`
      const number = live ? Number.MAX_SAFE_INTEGER : Number(renamed.exec(file)?.[1] ?? Number.NaN)
      if (Number.isNaN(number)) continue
      const path = join(folder, file)
      // Between the listing and the look a file may be renamed; the next round finds it.
      const facts = lstatSync(path, { throwIfNoEntry: false })
      if (facts?.isFile()) found.push({ path, ino: facts.ino, size: facts.size, mtimeMs: facts.mtimeMs, live, number })
    }
    return found.sort((a, b) => a.number - b.number)
  }

  async function read(path: string, from: number, length: number): Promise<Buffer> {
    // The workers may write to this folder, and the agent may be root: a link must not lead it elsewhere.
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  }

  async function next(place: Place | undefined, bytesMax: number, rowsMax: number): Promise<Found> {
    const files = await list()
    let at = Math.max(
      0,
      files.findIndex((file) => file.ino === place?.ino),
    )
    let offset = place && files[at]?.ino === place.ino ? place.offset : 0
    for (let file = files[at]; file; file = files[++at], offset = 0) {
      // A file that is shorter than what was read of it was emptied by somebody: it begins anew.
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
      // No line is that long; what nginx writes after it is whole again.
      if (chunk.length === bytesMax) return { place: { ino: file.ino, offset: offset + chunk.length } }
      const settled = !file.live && at < files.length - 1 && Date.now() - file.mtimeMs > SETTLED_MS
      if (!settled) return { place: here }
    }
    return { place }
  }

  async function waiting(place: Place | undefined) {
    const files = await list()
    const at = Math.max(
      0,
      files.findIndex((file) => file.ino === place?.ino),
    )
    const bytes = files.slice(at).reduce((sum, { size }) => sum + size, 0)
    const read = place && files[at]?.ino === place.ino ? place.offset : 0
    // Shorter than what was read of it: it begins anew.
    return read > (files[at]?.size ?? 0) ? bytes : bytes - read
  }

  async function again(place: Place, end: number) {
    const file = (await list()).find(({ ino, size }) => ino === place.ino && size >= end)
    return file && (await read(file.path, place.offset, end - place.offset))
  }

  async function rotate(bytesMax: number) {
    const files = await list()
    const live = files.find((file) => file.live)
    if (!live || live.size <= bytesMax) return false
    const last = files.filter((file) => !file.live).at(-1)?.number ?? 0
    await rename(live.path, join(folder, `${name}.${last + 1}.log`))
    await syncFolder(folder)
    return true
  }

  async function removeBefore(place: Place) {
    const files = await list()
    const at = files.findIndex((file) => file.ino === place.ino)
    for (const file of files.slice(0, Math.max(0, at))) await rm(file.path, { force: true })
  }

  // One at a time: a listing taken while a file gets its new name misses that file, and its rows would count as gone.
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

/** How many bytes and rows of a chunk are whole lines. Pure. */
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
