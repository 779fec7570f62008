/**
 * The small files without which a database cannot be read: the installation's keys and the identity of its own node.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { BackupError, type Entry } from './archive.ts'

const kept = [
  { folder: 'keys', only: undefined },
  { folder: 'node/agent', only: /^(identity\.json|tls\.key|seal\.key)$/ },
]

export async function* exportFiles(dataFolder: string): AsyncGenerator<Entry> {
  for (const { folder, only } of kept) {
    for (const name of (await namesIn(join(dataFolder, folder))).sort()) {
      if (only && !only.test(name)) continue
      yield { name: `files/${folder}/${name}`, bytes: await readFile(join(dataFolder, folder, name)) }
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Writes one file below the data folder, readable by its owner only. */
export async function importFile(dataFolder: string, { name, bytes }: Entry): Promise<void> {
  const path = normalize(name.replace(/^files\//, ''))
  if (!kept.some(({ folder }) => dirname(path) === folder)) throw new BackupError(`a file out of place: ${name}`)
  await mkdir(join(dataFolder, dirname(path)), { recursive: true, mode: 0o700 })
  await writeFile(join(dataFolder, path), bytes, { mode: 0o600, flush: true })
}
