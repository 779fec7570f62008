/** Archives as they are uploaded. */
import { gzipSync } from 'node:zlib'
import tar from 'tar-stream'

export type Entry = { name: string; text?: string | Buffer; type?: 'file' | 'symlink' | 'directory' }

export async function archiveOf(entries: readonly Entry[]): Promise<Buffer> {
  const pack = tar.pack()
  for (const { name, text = '', type = 'file' } of entries)
    pack.entry({ name, type, ...(type === 'symlink' && { linkname: '/etc/passwd' }) }, text)
  pack.finalize()
  const pieces: Buffer[] = []
  for await (const piece of pack) pieces.push(piece as Buffer)
  return gzipSync(Buffer.concat(pieces))
}
