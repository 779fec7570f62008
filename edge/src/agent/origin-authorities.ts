/**
 * The certificate authorities by which origins are verified: those that the machine trusts, and the operator's. nginx
 * reads one file, named by the hash of its content: a change also changes nginx.conf, and a rollback finds the old one.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere, writeDurably } from './files.ts'
import type { Layout } from './layout.ts'
import { hashOf } from './objects.ts'

/** Where Debian's package ca-certificates puts the trusted authorities. */
const MACHINE = '/etc/ssl/certs/ca-certificates.crt'
const OURS = /^origin-authorities-[0-9a-f]{64}\.pem$/

/**
 * Writes the file for nginx unless the machine's own is enough. Returns its path, or undefined if there are no
 * authorities.
 */
export async function originAuthorities(layout: Layout, operators: string | undefined): Promise<string | undefined> {
  const machine = (await readIfThere(MACHINE))?.toString('utf8')
  if (operators === undefined) return machine === undefined ? undefined : MACHINE
  const text = `${machine ?? ''}\n${operators}\n`
  const path = join(layout.folder, `origin-authorities-${hashOf(text)}.pem`)
  if ((await readIfThere(path)) === undefined) await writeDurably(path, text, layout.readable)
  return path
}

/** Removes the files that this nginx.conf does not refer to. */
export async function forgetAuthorities(layout: Layout, conf: string): Promise<void> {
  const old = (await readdir(layout.folder)).filter((name) => OURS.test(name) && !conf.includes(name))
  for (const name of old) await rm(join(layout.folder, name), { force: true })
}
