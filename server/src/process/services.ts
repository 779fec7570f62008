/**
 * The dependencies of features: the parts that outlive a request. Built once in `main.ts`, and likewise by the tests.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Logger } from 'pino'
import type { DatabaseHandle } from '../db/database.ts'
import type { OutboundGuard } from '../outbound/guard.ts'
import type { Publisher } from '../publish/publisher.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Env } from './env.ts'

export type Services = {
  env: Env
  database: DatabaseHandle
  events: ClickHouseClient
  vault: Vault
  guard: OutboundGuard
  publisher: Publisher
  logger: Logger
}
