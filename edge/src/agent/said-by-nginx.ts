/** Reads what nginx wrote to its error log: a failed reload reports its reason nowhere else. */
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Layout } from './layout.ts'
import { plainSentence } from './try-conf.ts'

const BYTES_MAX = 65_536

const pathOf = (layout: Layout) => join(layout.spool, 'error.log')

export async function sizeOfErrors(layout: Layout): Promise<number> {
  try {
    return (await stat(pathOf(layout))).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

/** The `[emerg]` message written from that byte on, as a sentence; undefined if there is none. */
export async function lastEmergency(layout: Layout, from: number): Promise<string | undefined> {
  const size = await sizeOfErrors(layout)
  if (size <= from) return undefined
  const file = await open(pathOf(layout))
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(BYTES_MAX, size - from)), 0, undefined, from)
    const line = buffer
      .toString('utf8', 0, bytesRead)
      .split('\n')
      .find((one) => one.includes('[emerg]') && !one.includes('still could not bind'))
    return line === undefined ? undefined : plainSentence(line)
  } finally {
    await file.close()
  }
}
