/** What the gate's routes are made from. */

import type { Logger } from 'pino'
import type { Authority } from '../authority/authority.ts'
import type { Ingest } from '../events/ingest.ts'
import type { Services } from '../http/services.ts'
import type { Connections } from './connections.ts'
import type { GateMetrics } from './metrics.ts'
import type { NodeIdentity } from './node-identity.ts'
import type { Turns } from './turns.ts'

export type GateServices = Pick<Services, 'env' | 'database' | 'vault' | 'logger'>

export type GateParts = {
  services: GateServices
  authority: Authority
  ingest: Ingest
  connections: Connections
  metrics: GateMetrics
  turns: Turns
  logger: Logger
}

/** Notes that a node did what an honest one does not. */
export function noteSecurity(parts: GateParts, node: NodeIdentity, event: string, detail: object): void {
  parts.metrics.securityEvents += 1
  parts.logger.warn({ security: event, nodeId: node.id, groupId: node.groupId, ...detail }, 'security event')
}
