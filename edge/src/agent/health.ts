/** The health of this node, as the control plane's node page shows it. */
import { schemaBefore } from '@breakwater/contract/edge/artefact.ts'
import type { NodeHealth } from '@breakwater/contract/edge/node-api.ts'
import type { Broken } from './broken.ts'
import { machineReader } from './machine.ts'
import type { Nginx } from './nginx.ts'
import type { NginxFacts } from './nginx-facts.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

/** What waits to be shipped, and what had to be dropped. */
export type SpoolHealth = { spoolBytes: number; droppedRows: number }

export function healthReader(
  settings: Settings,
  nginx: Nginx,
  facts: NginxFacts,
  spool: () => SpoolHealth,
  broken: Broken,
): () => Promise<NodeHealth> {
  const machine = machineReader(settings.folder)
  let last: { at: number; requests: number } | undefined

  /** Requests a second since the reading before; 0 while nginx is away or has just started to count anew. */
  async function traffic() {
    try {
      const state = await nginx.state()
      const { requests, connections } = state
      broken.note(state)
      const now = { at: Date.now(), requests }
      const before = last
      last = now
      const rate = before && now.at > before.at ? ((requests - before.requests) * 1000) / (now.at - before.at) : 0
      return { requestsPerSecond: Math.max(0, rate), connections, vitals: state.vitals }
    } catch {
      last = undefined
      return { requestsPerSecond: 0, connections: 0 }
    }
  }

  return async () => ({
    version,
    nginxVersion: facts.version,
    schemas: settings.schema === schemaBefore ? [schemaBefore] : [schemaBefore, settings.schema],
    capabilities: facts.capabilities,
    ...(await machine()),
    ...(await traffic()),
    ...spool(),
  })
}
