/**
 * Loads the feed from disk when nginx starts, before it listens: a node serves and protects sites without the agent.
 */
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import type { BanRecord } from '@breakwater/contract/edge/node-disk.ts'
import { decode, null as nothing } from 'cjson.safe'
import { loadTombstones, type Purge, raiseTombstone } from '../delivery/purges.ts'
import { loadPurges } from '../delivery/tags.ts'
import * as siteIndex from '../memory/site-index.ts'
import { loadBans } from '../nginx/bans.ts'
import { readFile } from '../nginx/files.ts'
import { pauseLeast } from '../nginx/garbage.ts'
import { node } from '../nginx/node.ts'
import { checkEntry, putEntry } from './apply.ts'

/** The JSON values of a log's lines with a correct checksum; torn lines are skipped. */
export function readLog(name: string): unknown[] {
  const content = readFile(`${node().folder}/log/${name}`)
  const values: unknown[] = []
  if (content === undefined) return values
  let at = 0
  while (at < content.length) {
    const found = content.indexOf('\n', at)
    const end = found < 0 ? content.length : found
    const line = content.substring(at, end)
    at = end + 1
    if (line.length < 11) continue
    const json = line.substring(9)
    if (string.format('%08x', ngx.crc32_long(json)) !== line.substring(0, 8)) continue
    const [value] = decode(json)
    if (value !== undefined) values.push(value)
  }
  return values
}

/** Lua's GC pause while loading, in percent of the memory in use: low, because each worker starts with a copy of it. */
const loadPause = 130

/**
 * Applies the last intact entry of each site: if the newest is broken, its predecessor stays in force. A tombstone
 * counts even if the site came back later, because nginx may have been down when it was written.
 */
export function loadFeed(): void {
  const bySite: Record<number, FeedEntry[]> = {}
  const order: number[] = []
  loadTombstones()
  for (const entry of readLog('feed.log') as FeedEntry[]) {
    if (entry.artefact === (nothing as unknown) && entry.ineligible === undefined) {
      raiseTombstone(entry.site, entry.sequence)
    }
    const lines = bySite[entry.site]
    if (lines === undefined) {
      bySite[entry.site] = [entry]
      order.push(entry.site)
    } else lines.push(entry)
  }
  collectgarbage('setpause', loadPause)
  for (const site of order) {
    const lines = bySite[site]!
    let broken: string | undefined
    for (let i = lines.length - 1; i >= 0; i--) {
      const problem = checkEntry(lines[i]!) ?? putEntry(lines[i]!)
      if (problem === undefined && lines[i]!.ineligible === undefined) break
      if (problem === undefined) continue
      ngx.log(ngx.ERR, 'site ', site, ' keeps an older artefact: ', problem)
      broken = problem
    }
    // After applying the older entry, which would clear this.
    if (broken !== undefined) siteIndex.noteBroken(site, broken)
  }
  loadPurges(readLog('purges.log') as Purge[])
  loadBans(readLog('bans.log') as BanRecord[])
  siteIndex.bumpGeneration()
  // Otherwise the garbage from loading would be copied into every worker.
  collectgarbage('collect')
  collectgarbage('collect')
  collectgarbage('setpause', pauseLeast)
}
