/** Builds the services of a process from its environment. */
import { openDatabase } from './db/database.ts'
import { openEvents } from './events/store.ts'
import { makeLogger } from './log.ts'
import { makeOutboundGuard } from './outbound/guard.ts'
import { parts } from './parts.ts'
import { type Env, readEnv } from './process/env.ts'
import type { Services } from './process/services.ts'
import { openVault } from './secrets/vault.ts'

export function makeServices(process: string, env: Env = readEnv()): Services {
  const logger = makeLogger(process, env.logLevel)
  return {
    env,
    database: openDatabase(env.databaseUrl, {
      tenantUrl: env.tenantDatabaseUrl,
      onError: (error) => logger.warn({ err: error }, 'database connection lost'),
    }),
    events: openEvents(env.clickhouseUrl),
    vault: openVault(env.dataFolder),
    guard: makeOutboundGuard(env.allowOrigins),
    publisher: { parts, allowOrigins: env.allowOrigins },
    logger,
  }
}
