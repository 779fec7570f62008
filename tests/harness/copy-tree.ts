/** A copy of the tree that a test may edit, with the packages and build output of the original. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Edit } from '../generator/toy-rules.ts'

const root = resolve(import.meta.dirname, '../..')
const own = '@breakwater'

/**
 * Copies the files that git would commit, with links to the packages. Of built files only the named folders are
 * included.
 */
export function copyTree(built: readonly string[] = []): string {
  const copy = mkdtempSync(join(tmpdir(), 'breakwater-copy-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  for (const file of files.split('\0').filter((name) => name !== '' && existsSync(join(root, name))))
    cpSync(join(root, file), join(copy, file))
  for (const folder of built) cpSync(join(root, folder), join(copy, folder), { recursive: true })
  for (const room of ['.', 'contract', 'server', 'edge', 'console', 'tests']) linkPackages(copy, room)
  if (existsSync(join(root, '.node'))) symlinkSync(join(root, '.node'), join(copy, '.node'))
  return copy
}

/** Links the packages, but the workspaces themselves are the copy's. */
function linkPackages(copy: string, room: string): void {
  const from = join(root, room, 'node_modules')
  if (!existsSync(from)) return
  const to = join(copy, room, 'node_modules')
  mkdirSync(to)
  for (const name of readdirSync(from)) if (name !== own) symlinkSync(join(from, name), join(to, name))
  if (!existsSync(join(from, own))) return
  mkdirSync(join(to, own))
  for (const name of readdirSync(join(from, own))) symlinkSync(join(copy, name), join(to, own, name))
}

/** Applies the edits to a copy. */
export function edit(copy: string, edits: readonly Edit[]): void {
  for (const { file, text, after, instead } of edits) {
    const path = join(copy, file)
    mkdirSync(dirname(path), { recursive: true })
    const place = after ?? instead
    if (place === undefined) {
      writeFileSync(path, text)
      continue
    }
    const before = readFileSync(path, 'utf8')
    if (!before.includes(place)) throw new Error(`${file} does not hold ${place}`)
    if (instead !== undefined) {
      writeFileSync(path, before.replace(instead, text))
      continue
    }
    const lines = before.split('\n')
    const at = lines.findIndex((line) => line.includes(place))
    writeFileSync(path, [...lines.slice(0, at + 1), text, ...lines.slice(at + 1)].join('\n'))
  }
}
