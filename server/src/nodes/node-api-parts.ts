/** The services that the node API's routes share. */

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
  /** Runs a transaction when a slot is free; answers 503 if the queue is full too. */
  limited: ConcurrencyLimit
  logger: Logger
}
