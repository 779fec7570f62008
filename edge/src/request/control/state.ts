/** What nginx tells of itself (contract: NginxState). */
import type { NginxState } from '@breakwater/contract/edge/node-disk.ts'
import { vitals } from '../logs/vitals.ts'

const names = ['sites', 'buckets', 'crowds', 'challenges', 'purges', 'marks', 'peers', 'node']

export function state(): Omit<NginxState, 'broken'> & { broken?: NginxState['broken'] } {
  const dict = ngx.shared.sites!
  const dictionaries: Record<string, number> = {}
  for (const name of names) dictionaries[name] = ngx.shared[name]!.free_space()
  let sites = 0
  let hosts = 0
  const broken: NginxState['broken'] = []
  for (const key of dict.get_keys(0)) {
    if (key.startsWith('s') && key !== 'sequence') sites++
    else if (key.startsWith('h')) hosts++
    else if (key.startsWith('x')) {
      const [reason] = dict.get(key)
      if (reason !== undefined) broken.push({ site: tonumber(key.substring(1))!, reason: reason as string })
    }
  }
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
    sites,
    hosts,
    sequence: (sequence as number | undefined) ?? 0,
    workers,
    requests: seen.requests,
    connections: tonumber(ngx.var.connections_active) ?? 0,
    vitals: seen,
    dictionaries,
    // Without any it is left out: an empty table would be written as an object.
    ...(broken.length > 0 ? { broken } : {}),
  }
}
