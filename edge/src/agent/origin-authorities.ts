/**
 * The authorities by which origins are verified: what the machine trusts, and those that the operator set. nginx reads one
 * file. It is named by what is in it, so that nginx.conf changes with it, and an nginx that goes back finds its own.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere, writeDurably } from './files.ts'
import type { Layout } from './layout.ts'
import { hashOf } from './objects.ts'

/** Where Debian's package ca-certificates puts what the machine trusts. */
const MACHINE = '/etc/ssl/certs/ca-certificates.crt'
const OURS = /^origin-authorities-[0-9a-f]{64}\.pem$/

/** Writes the file that nginx shall read, where the machine's own is not it. Returns its path, or nothing where there are no authorities. */
export async function originAuthorities(layout: Layout, operators: string | undefined): Promise<string | undefined> {
  const machine = (await readIfThere(MACHINE))?.toString('utf8')
  if (operators === undefined) return machine === undefined ? undefined : MACHINE
  const text = `${machine ?? ''}\n${operators}\n`
  const path = join(layout.folder, `origin-authorities-${hashOf(text)}.pem`)
  if ((await readIfThere(path)) === undefined) await writeDurably(path, text, layout.readable)
  return path
}

/** Removes the files that an nginx.conf does not name. */
export async function forgetAuthorities(layout: Layout, conf: string): Promise<void> {
  const old = (await readdir(layout.folder)).filter((name) => OURS.test(name) && !conf.includes(name))
  for (const name of old) await rm(join(layout.folder, name), { force: true })
}
