/** Jobs: what runs without a caller, by a schedule, retried, on the same PostgreSQL. */
import { run } from 'graphile-worker'
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
    crontab: '*/10 * * * * sweep\n*/5 * * * * closeHours\n7 * * * * tendLicenses',
    taskList: {
      closeHours: async () => {
        await closeHours(services.events, Date.now())
      },
      tendLicenses: () => tendLicenses(services),
      sweep: async () => {
        const removed = await sweep(services)
        logger.info(removed, 'swept')
      },
    },
  })
  return { close: () => runner.stop() }
}
