/** What the node API's routes are made from. */

import type { Logger } from 'pino'
import type { Authority } from '../authority/authority.ts'
import type { ConcurrencyLimit } from '../engines/concurrency-limit.ts'
import type { Ingest } from '../events/ingest.ts'
import type { Services } from '../process/services.ts'
import type { Connections } from './connections.ts'
import type { NodeApiMetrics } from './metrics.ts'

export type NodeApiServices = Pick<Services, 'env' | 'database' | 'events' | 'vault' | 'logger'>

export type NodeApiParts = {
  services: NodeApiServices
  authority: Authority
  ingest: Ingest
  connections: Connections
  metrics: NodeApiMetrics
  /** Runs a transaction when a place is free; 503 where even the queue is full. */
  limited: ConcurrencyLimit
  logger: Logger
}
