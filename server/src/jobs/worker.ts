/** Jobs: what runs without a caller, by a schedule, retried, on the same PostgreSQL. */
import { run } from 'graphile-worker'
import { expireAccounts } from '../account/expire.ts'
import { closeHours } from '../events/close-hours.ts'
import type { Services } from '../http/services.ts'
import { tendLicenses } from '../licenses/tend.ts'
import { sweep } from './sweep.ts'

/** Starts the worker. Schedules: see `crontab`. */
export async function startWorker(services: Services): Promise<{ close(): Promise<void> }> {
  const { env, logger } = services
  const runner = await run({
    connectionString: env.databaseUrl,
    concurrency: 2,
    noHandleSignals: true,
    crontab: [
      '*/10 * * * * sweep',
      '*/5 * * * * closeHours',
      '7 * * * * tendLicenses',
      '* * * * * expireAccounts',
    ].join('\n'),
    taskList: {
      closeHours: async () => {
        await closeHours(services.events, Date.now())
      },
      tendLicenses: () => tendLicenses(services),
      expireAccounts: async () => {
        await expireAccounts(services)
      },
      sweep: async () => {
        const removed = await sweep(services)
        logger.info(removed, 'swept')
      },
    },
  })
  return { close: () => runner.stop() }
}
