/** The files of Debian's package `modsecurity-crs` on this machine, and their storage format. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sha256 } from '../publish/canonical.ts'

/** Texts by file name. */
export type RuleSetFiles = ReadonlyMap<string, string>

/** Undefined if the package is not installed. */
export function installedFiles(folder = '/usr/share/modsecurity-crs/rules'): RuleSetFiles | undefined {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return undefined
  }
  const files = names.filter((name) => /\.(?:conf|data)$/.test(name)).sort()
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

const textOf = (files: RuleSetFiles) => Buffer.from(JSON.stringify([...files]))

export const packFiles = (files: RuleSetFiles): Buffer => gzipSync(textOf(files))
export const unpackFiles = (bytes: Buffer): RuleSetFiles =>
  new Map(JSON.parse(gunzipSync(bytes).toString('utf8')) as [string, string][])
/** Detects an update. */
export const hashOfFiles = (files: RuleSetFiles): Buffer => sha256(textOf(files))
