/**
 * The master key: in the data folder, or in a secrets manager's file set by BREAKWATER_MASTER_KEY_FILE, or in systemd's
 * credential `breakwater-master.key`. The file holds a single key as 32 bytes, or one key per line as base64 or
 * hexadecimal, newest first: everything is sealed with the first, and the others open what they once sealed.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const keyBytes = 32
const credentialName = 'breakwater-master.key'

/** Where the keys are. `isOwn`: in the data folder, where this program creates and changes them. */
export type KeyFile = { path: string; isOwn: boolean }

/** The key file of an installation, according to the environment. */
export function keyFileOf(dataFolder: string, env: NodeJS.ProcessEnv = process.env): KeyFile {
  if (env.BREAKWATER_MASTER_KEY_FILE) return { path: resolve(env.BREAKWATER_MASTER_KEY_FILE), isOwn: false }
  const credential = env.CREDENTIALS_DIRECTORY && join(env.CREDENTIALS_DIRECTORY, credentialName)
  if (credential && existsSync(credential)) return { path: credential, isOwn: false }
  return { path: join(dataFolder, 'keys', 'master.key'), isOwn: true }
}

function keyOfLine(line: string, path: string): Buffer {
  const key = Buffer.from(line, /^[0-9a-f]{64}$/i.test(line) ? 'hex' : 'base64')
  if (key.length !== keyBytes)
    throw new Error(`${path} holds no master key: 32 bytes, or lines of base64 or hexadecimal`)
  return key
}

function parse(bytes: Buffer, path: string): Buffer[] {
  if (bytes.length === keyBytes) return [bytes]
  const lines = bytes
    .toString('latin1')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length === 0) throw new Error(`${path} is empty: it holds no master key`)
  return lines.map((line) => keyOfLine(line, path))
}

/**
 * The keys of a file, newest first, read again whenever the file changes: a rotation takes effect in running processes.
 * Creates the first key if the file is this program's own; a missing external file is an error.
 */
export function masterKeys(file: KeyFile): () => Buffer[] {
  const { path, isOwn } = file
  if (isOwn && !existsSync(path)) createIfAbsent(path, randomBytes(keyBytes))
  let stamp = ''
  let keys: Buffer[] = []
  const read = () => {
    const { ino, mtimeMs, size } = statSync(path)
    const now = `${ino} ${mtimeMs} ${size}`
    if (now !== stamp) {
      keys = parse(readFileSync(path), path)
      stamp = now
    }
    return keys
  }
  read()
  return read
}

/** Writes keys, newest first, into a file of this program's own, atomically: either the old or the new file exists. */
export function writeMasterKeys({ path }: KeyFile, keys: readonly Uint8Array[]): void {
  const draft = `${path}.${process.pid}.tmp`
  writeFileSync(draft, `${keys.map((key) => Buffer.from(key).toString('base64')).join('\n')}\n`, {
    mode: 0o600,
    flush: true,
  })
  renameSync(draft, path)
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Two processes that start together end up with the same file. */
export function createIfAbsent(path: string, bytes: Buffer): void {
  const draft = `${path}.${process.pid}.tmp`
  writeFileSync(draft, bytes, { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
}
