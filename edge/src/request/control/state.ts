/** What nginx reports about itself (contract: NginxState). */
import type { NginxState } from '@breakwater/contract/edge/node-disk.ts'
import { brokenSites, count } from '../memory/site-index.ts'
import { vitals } from '../memory/vitals.ts'
import { node } from '../nginx/node.ts'
import { revisionAtWork } from '../sites/configuration.ts'
import { prefilterState } from '../sites/prefilters.ts'

const names = [
  'sites',
  'buckets',
  'crowds',
  'challenges',
  'bans',
  'tallies',
  'purges',
  'cache_metadata',
  'peers',
  'origins',
  'checks',
  'node',
]

export function state(): Omit<NginxState, 'broken'> & { broken?: NginxState['broken'] } {
  const dict = ngx.shared.sites!
  const dictionaries: Record<string, number> = {}
  for (const name of names) dictionaries[name] = ngx.shared[name]!.free_space()
  const broken: NginxState['broken'] = brokenSites()
  const [sequence] = dict.get('sequence')
  const workers: number[] = []
  for (const key of ngx.shared.node!.get_keys(0)) {
    if (key.startsWith('worker')) {
      const [pid] = ngx.shared.node!.get(key)
      workers.push(pid as number)
    }
  }
  const seen = vitals()
  return {
    sites: count('s'),
    hosts: count('h'),
    sequence: (sequence as number | undefined) ?? 0,
    workers,
    requests: seen.requests,
    connections: tonumber(ngx.var.connections_active) ?? 0,
    vitals: seen,
    dictionaries,
    conf: node().conf,
    prefilter: prefilterState(),
    configuration: revisionAtWork(),
    // Left out if there are none: an empty table would be encoded as an object.
    ...(broken.length > 0 ? { broken } : {}),
  }
}
