/**
 * The ledger of tagged objects: which URL had which Cache-Tag or Surrogate-Key when it was stored. A line is on disk
 * before its object is, so a purge by tag finds the object even after a crash. The ledger is deleted together with the
 * cache's folder.
 */

import { decode, encode } from 'cjson.safe'
import { trimmed } from '../lib/trimmed.ts'
import { bumpGeneration } from '../memory/site-index.ts'
import { appendFile, fileSize, readFile, truncateFile } from '../nginx/files.ts'
import { node } from '../nginx/node.ts'
import { pauses } from '../nginx/turns.ts'
import { applyPurge, forgetSite, type Purge, purgeObject } from './purges.ts'

const dict = ngx.shared.cache_metadata!

/** Beyond this size, tagged responses are not stored; the ledger starts over when nginx starts next. */
const bytesMax = 64_000_000
const tagsMax = 64

type Line = { site: number; key: string; tags: string[] }

const ledger = (): string => `${node().folder}/cache/tags.log`

/** The tags of a response: separated by commas in Cache-Tag, by spaces in Surrogate-Key. */
export function tagsOf(cacheTag: string | undefined, surrogateKey: string | undefined): string[] {
  const words = `${cacheTag ?? ''},${(surrogateKey ?? '').split(' ').join(',')}`.split(',')
  const tags: string[] = []
  for (const word of words) {
    const tag = trimmed(word)
    if (tag !== '' && tags.length < tagsMax && !tags.includes(tag)) tags.push(tag)
  }
  return tags
}

/** Records the tags of an object about to be stored. If it returns false, the object must not be stored. */
export function noteTags(site: number, key: string, tags: string[]): boolean {
  const line = encode({ site, key, tags })
  const known = `t${key}`
  const [before] = dict.get(known)
  const sum = ngx.crc32_long(line)
  if (before === sum) return true
  if (fileSize(ledger()) > bytesMax || !appendFile(ledger(), `${line}\n`)) return false
  dict.set(known, sum)
  return true
}

/** Calls `each` for every complete line, then `pause`. */
function readLedger(each: (line: Line) => void, pause: (this: void) => void): void {
  const content = readFile(ledger())
  if (content === undefined) return
  let at = 0
  while (at < content.length) {
    const end = content.indexOf('\n', at)
    if (end < 0) return
    const [line] = decode(content.substring(at, end))
    if (line !== undefined) each(line as Line)
    at = end + 1
    pause()
  }
}

/** Applies purges in the given order and notifies every worker. */
export function applyPurges(purges: Purge[]): void {
  for (const purge of purges) if (purge.type !== 'tag') applyPurge(purge)
  purgeTags(
    purges.filter((purge) => purge.type === 'tag'),
    pauses(),
  )
  bumpGeneration()
}

/** Applies the purges on disk before nginx listens. */
export function loadPurges(purges: Purge[]): void {
  if (fileSize(ledger()) > bytesMax && truncateFile(ledger())) forgetSite(0)
  for (const purge of purges) if (purge.type !== 'tag') applyPurge(purge)
  purgeTags(
    purges.filter((purge) => purge.type === 'tag'),
    () => undefined,
  )
}

/** Purges all URLs that ever had a purged tag: too many rather than too few. */
function purgeTags(purges: Purge[], pause: (this: void) => void): void {
  if (purges.length === 0) return
  const newest: Record<string, number> = {}
  for (const { site, id, values } of purges) {
    for (const tag of values) newest[`${site} ${tag}`] = Math.max(id, newest[`${site} ${tag}`] ?? 0)
  }
  readLedger((line) => {
    let id = 0
    for (const tag of line.tags) id = Math.max(id, newest[`${line.site} ${tag}`] ?? 0)
    if (id > 0) purgeObject(line.site, line.key, id)
  }, pause)
}
