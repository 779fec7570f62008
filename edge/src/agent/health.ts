/** The health of this node, as shown on its page in the console. */
import { schemaCurrent } from '@breakwater/contract/edge/artefact.ts'
import type { NodeHealth } from '@breakwater/contract/edge/node-api.ts'
import type { BrokenSites } from './broken-sites.ts'
import type { KernelBans } from './kernel-bans.ts'
import { machineReader } from './machine.ts'
import type { Nginx } from './nginx.ts'
import { capabilitiesOf, type NginxFacts } from './nginx-facts.ts'
import { packagesReader } from './packages.ts'
import type { Prefilters } from './prefilters.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

/** Bytes waiting for upload, rows that had to be dropped, and up to when rows and counters are uploaded. */
export type SpoolHealth = { spoolBytes: number; droppedRows: number; eventsUntil?: number; countersUntil?: number }

export function healthReader(
  settings: Settings,
  nginx: Nginx,
  facts: NginxFacts,
  spool: () => SpoolHealth,
  broken: BrokenSites,
  prefilters: Prefilters,
  kernel: Pick<KernelBans, 'told'>,
): () => Promise<NodeHealth> {
  const machine = machineReader(settings.folder)
  const packages = packagesReader()
  let last: { at: number; requests: number } | undefined

  /** Requests per second since the previous reading; 0 while nginx is down or has just restarted its count. */
  async function traffic() {
    try {
      // One after the other, over one connection.
      const state = await nginx.state()
      const origins = await nginx.origins()
      const { requests, connections, configuration = 0 } = state
      broken.note(state)
      prefilters.note(state)
      const now = { at: Date.now(), requests }
      const before = last
      last = now
      const rate = before && now.at > before.at ? ((requests - before.requests) * 1000) / (now.at - before.at) : 0
      return { requestsPerSecond: Math.max(0, rate), connections, configuration, vitals: state.vitals, origins }
    } catch {
      last = undefined
      return { requestsPerSecond: 0, connections: 0, configuration: 0 }
    }
  }

  return async () => ({
    version,
    nginxVersion: facts.version,
    opensslVersion: facts.openssl,
    packages: await packages(),
    schemas: [schemaCurrent],
    capabilities: capabilitiesOf(facts),
    ...machine(),
    ...(await traffic()),
    ...spool(),
    kernelBans: kernel.told(),
  })
}
