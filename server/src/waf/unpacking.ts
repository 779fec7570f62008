/** What bounds an archive that is unpacked, and what is kept of it. */

/** Bounds of what is unpacked: entries of any kind, bytes of one file and of all, folders above a file. */
export const bounds = { entries: 1000, fileBytes: 2_097_152, bytes: 20_971_520, depth: 10 }

/** An archive that is none, is damaged, or is made to do harm. */
export class BadArchive extends Error {}

/** Counts what is unpacked. Throws at the first thing that is too much, or has a name that leads elsewhere. */
export class Unpacking {
  readonly files = new Map<string, string>()
  #entries = 0
  #bytes = 0

  /** Before an entry is read: whether it is a file that is wanted. */
  wants(path: string): boolean {
    this.#entries += 1
    if (this.#entries > bounds.entries) throw new BadArchive('too many files')
    const folders = path.split('/')
    if (path.startsWith('/') || /[\\\0]/.test(path) || folders.includes('..'))
      throw new BadArchive('a name leads out of the archive')
    if (folders.length - 1 > bounds.depth) throw new BadArchive('the folders are too deep')
    return /\.(?:conf|data)$|(?:^|\/)crs-setup\.conf\.example$/.test(path)
  }

  /** How many bytes the next file may have. */
  get room(): number {
    return Math.min(bounds.fileBytes, bounds.bytes - this.#bytes)
  }

  keep(path: string, bytes: Uint8Array): void {
    if (bytes.length > this.room) throw new BadArchive('too long')
    this.#bytes += bytes.length
    // The Core Rule Set has bytes in its lists of words that are no UTF-8 in old releases; nodes compare bytes.
    this.files.set(path.replace(/^(?:\.\/)+/, ''), Buffer.from(bytes).toString('utf8'))
  }
}
