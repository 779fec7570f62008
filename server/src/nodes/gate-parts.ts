/** What the gate's routes are made from. */

import type { Logger } from 'pino'
import type { Authority } from '../authority/authority.ts'
import type { Ingest } from '../events/ingest.ts'
import type { Services } from '../http/services.ts'
import type { Connections } from './connections.ts'
import type { GateMetrics } from './metrics.ts'
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
