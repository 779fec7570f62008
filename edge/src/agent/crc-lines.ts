/** Append-only logs of `<crc32> <JSON>` lines (see the contract's `node-disk.ts`): a torn write loses one line only. */
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import { passing } from './failpoint.ts'
import { type Access, readIfThere, writeDurably } from './files.ts'

export function encodeLine(value: unknown): string {
  const json = JSON.stringify(value)
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
}

/** The JSON values of all intact lines, and how many lines were damaged. */
export function decodeLines(text: string): { values: unknown[]; torn: number } {
  const values: unknown[] = []
  let torn = 0
  for (const line of text.split('\n')) {
    if (line === '') continue
    const json = line.slice(9)
    if (json !== '' && line[8] === ' ' && Number.parseInt(line.slice(0, 8), 16) === crc32(json))
      values.push(JSON.parse(json))
    else torn++
  }
  return { values, torn }
}

export type CrcLog = {
  path: string
  read(): Promise<{ values: unknown[]; torn: number }>
  append(values: readonly unknown[]): Promise<void>
  rewrite(values: readonly unknown[]): Promise<void>
}

export function crcLog(path: string, access: Access): CrcLog {
  return {
    path,
    async read() {
      return decodeLines((await readIfThere(path))?.toString('utf8') ?? '')
    },
    async append(values) {
      if (values.length === 0) return
      const handle = await open(path, 'a+', access.mode)
      try {
        const { size } = await handle.stat()
        const last = Buffer.alloc(1)
        if (size > 0) await handle.read(last, 0, 1, size - 1)
        // After a torn write, start on a new line; otherwise the next entry would be lost with the torn one.
        const text = values.map(encodeLine).join('')
        await handle.appendFile(size > 0 && last[0] !== 10 ? `\n${text}` : text)
        passing?.(`${basename(path)} written`)
        await handle.sync()
        passing?.(`${basename(path)} synced`)
      } finally {
        await handle.close()
      }
    },
    rewrite: (values) => writeDurably(path, values.map(encodeLine).join(''), access),
  }
}
