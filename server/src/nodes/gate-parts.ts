/** What the gate's routes are made from. */

import type { Readable } from 'node:stream'
import type { EventBatch, EventReceipt } from '@breakwater/contract/edge/events.ts'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Authority } from '../authority/authority.ts'
import type { Services } from '../http/services.ts'
import type { Connections } from './connections.ts'
import type { GateMetrics } from './metrics.ts'
import type { NodeIdentity } from './node-identity.ts'
import type { Turns } from './turns.ts'

export type GateServices = Pick<Services, 'env' | 'database' | 'vault' | 'logger'>

/** Stores a batch of events of a node; what `events/ingest.ts` gives. */
export type Ingest = (
  node: { nodeId: number; zoneId: number; groupId: number },
  batch: EventBatch,
  encoding: string,
  body: Readable,
) => Promise<z.output<typeof EventReceipt>>

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
