/** Secrets of sites and of the group: small files, read on first use and again after any change. */
import { generation } from '../memory/site-index.ts'
import { hmac, randomBytes } from './crypto.ts'
import { namesIn, readFile } from './files.ts'
import { node } from './node.ts'

let values: Record<string, string | 'none'> = {}
let groupKeys: string[] | undefined
let seen = -1

function refresh(): void {
  const current = generation()
  if (current === seen) return
  seen = current
  values = {}
  groupKeys = undefined
}

/** The value of a site's secret. Returns undefined if it has not arrived yet. */
export function secretOf(site: number, ref: string): string | undefined {
  refresh()
  const name = `${site}.${ref}`
  const known = values[name]
  if (known !== undefined) return known === 'none' ? undefined : known
  const value = readFile(`${node().folder}/secrets/${name}`)
  values[name] = value ?? 'none'
  return value
}

/**
 * The group's keys, newest first: after a rotation, what the previous key signed is still valid. A node without any key
 * creates one of its own, so that it can issue challenges; other nodes cannot verify or decrypt what it made.
 */
export function keysOfGroup(): string[] {
  refresh()
  groupKeys ??= readKeys()
  return groupKeys
}

function readKeys(): string[] {
  const versions: number[] = []
  for (const name of namesIn(`${node().folder}/secrets`)) {
    if (name.startsWith('0.groupKey@')) versions.push(tonumber(name.substring(11)) ?? 0)
  }
  versions.sort((a, b) => b - a)
  const keys: string[] = []
  for (const version of versions) {
    const key = readFile(`${node().folder}/secrets/0.groupKey@${version}`)
    if (key !== undefined && key.length >= 16) keys.push(key)
  }
  if (keys.length === 0) keys.push(ownKey())
  return keys
}

function ownKey(): string {
  const dict = ngx.shared.node!
  dict.add('key', randomBytes(32))
  const [key] = dict.get('key')
  return key as string
}

/** A key derived from the group's for one purpose. */
export function derivedKey(groupKey: string, context: string): string {
  return hmac(groupKey, context)
}
