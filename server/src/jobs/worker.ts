/** Jobs: what runs without a caller, by a schedule, retried, on the same PostgreSQL. */
import { run } from 'graphile-worker'
import { expireAccounts } from '../account/expire.ts'
import { closeDays } from '../events/close-days.ts'
import { closeHours } from '../events/close-hours.ts'
import type { Services } from '../http/services.ts'
import { tendLicenses } from '../licenses/tend.ts'
import { sendDue } from '../messages/send.ts'
import { watchNodes } from '../messages/watch-nodes.ts'
import { openNotices } from '../nodes/notices.ts'
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
      '* * * * * watchNodes',
      '* * * * * sendMessages',
    ].join('\n'),
    taskList: {
      closeHours: async () => {
        await closeHours(services.events, Date.now())
        await closeDays(services.events, Date.now())
      },
      watchNodes: () => watchNodes(services),
      sendMessages: async () => {
        await sendDue(services)
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
  // What is put into the outbox goes at once; the minute is for what failed.
  const wake = () => void runner.addJob('sendMessages', {}, { jobKey: 'sendMessages', maxAttempts: 1 })
  const notices = await openNotices(env.databaseUrl, { channels: { messages: wake }, restored: wake }, logger)
  return {
    async close() {
      await notices.close()
      await runner.stop()
    },
  }
}
