/** The limits for unpacking an archive, and which files of it are kept. */

/** Limits of what is unpacked: entries of any kind, bytes per file and in total, folders above a file. */
export const bounds = { entries: 1000, fileBytes: 2_097_152, bytes: 20_971_520, depth: 10 }

/** A file that is not an archive, or is damaged or malicious. */
export class BadArchive extends Error {}

/** Counts what is unpacked. Throws as soon as a limit is exceeded, or a name leads out of the archive. */
export class Unpacking {
  readonly files = new Map<string, string>()
  #entries = 0
  #bytes = 0

  /** Called before an entry is read: whether it is a file that is needed. */
  wants(path: string): boolean {
    this.#entries += 1
    if (this.#entries > bounds.entries) throw new BadArchive('too many files')
    const folders = path.split('/')
    if (path.startsWith('/') || /[\\\0]/.test(path) || folders.includes('..'))
      throw new BadArchive('a name leads out of the archive')
    if (folders.length - 1 > bounds.depth) throw new BadArchive('the folders are too deep')
    return /\.(?:conf|data)$|(?:^|\/)crs-setup\.conf\.example$/.test(path)
  }

  /** The maximum size of the next file in bytes. */
  get room(): number {
    return Math.min(bounds.fileBytes, bounds.bytes - this.#bytes)
  }

  keep(path: string, bytes: Uint8Array): void {
    if (bytes.length > this.room) throw new BadArchive('too long')
    this.#bytes += bytes.length
    // In old releases the word lists of the Core Rule Set contain bytes that are not UTF-8; nodes compare bytes.
    this.files.set(path.replace(/^(?:\.\/)+/, ''), Buffer.from(bytes).toString('utf8'))
  }
}
