/** What nginx tells of itself (contract: NginxState). */
import type { NginxState } from '@breakwater/contract/edge/node-disk.ts'

const names = ['sites', 'buckets', 'challenges', 'purges', 'marks', 'peers', 'node']

export function state(): NginxState {
  const dict = ngx.shared.sites!
  const dictionaries: Record<string, number> = {}
  for (const name of names) dictionaries[name] = ngx.shared[name]!.free_space()
  let sites = 0
  let hosts = 0
  for (const key of dict.get_keys(0)) {
    if (key.startsWith('s') && key !== 'sequence') sites++
    else if (key.startsWith('h')) hosts++
  }
  const [sequence] = dict.get('sequence')
  const [requests] = ngx.shared.node!.get('requests')
  const workers: number[] = []
  for (const key of ngx.shared.node!.get_keys(0)) {
    if (key.startsWith('worker')) {
      const [pid] = ngx.shared.node!.get(key)
      workers.push(pid as number)
    }
  }
  return {
    sites,
    hosts,
    sequence: (sequence as number | undefined) ?? 0,
    workers,
    requests: (requests as number | undefined) ?? 0,
    connections: tonumber(ngx.var.connections_active) ?? 0,
    dictionaries,
  }
}
