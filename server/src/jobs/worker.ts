/** Background jobs: scheduled, retried, and queued in the same PostgreSQL. */
import { run } from 'graphile-worker'
import { expireAccounts } from '../account/expire.ts'
import { jwksChannel } from '../authentication/jwks.ts'
import { refreshJwks } from '../authentication/refresh-jwks.ts'
import { liftNeedlessBans } from '../bans/lift-needless.ts'
import { orderDueCertificates } from '../certificates/acme/order-due.ts'
import { orderConsoleCertificate } from '../certificates/console/order-console.ts'
import { openNotices } from '../db/notices.ts'
import { checkDomains } from '../domains/check-domains.ts'
import { makeDnsLookup } from '../domains/dns-check.ts'
import { writeDnsRecords } from '../domains/write-dns-records.ts'
import { closeDays } from '../events/close-days.ts'
import { closeHours } from '../events/close-hours.ts'
import { updateLicenseUsage } from '../licenses/update-usage.ts'
import { sendDue } from '../messages/send.ts'
import { tellOfExpiry } from '../messages/tell-of-expiry.ts'
import { watchNodes } from '../messages/watch-nodes.ts'
import type { Services } from '../process/services.ts'
import { limitTraffic } from '../sites/limit-traffic.ts'
import { sweep } from './sweep.ts'

/** Starts the worker. The schedules are in `crontab`. */
export async function startWorker(services: Services): Promise<{ close(): Promise<void> }> {
  const { env, logger } = services
  const runner = await run({
    connectionString: env.databaseUrl,
    concurrency: 2,
    noHandleSignals: true,
    crontab: [
      '*/10 * * * * sweep',
      '*/5 * * * * closeHours',
      '7 * * * * updateLicenseUsage',
      '* * * * * expireAccounts',
      '* * * * * watchNodes',
      '* * * * * sendMessages',
      '* * * * * liftNeedlessBans',
      '20 * * * * tellOfExpiry',
      '*/5 * * * * limitTraffic',
      '* * * * * checkDomains',
      '* * * * * refreshJwks ?queue=jwks',
      '* * * * * orderDueCertificates',
      '* * * * * orderConsoleCertificate',
      // One queue, so that an older state is never written over a newer one.
      '* * * * * writeDnsRecords ?queue=dns',
    ].join('\n'),
    taskList: {
      closeHours: async () => {
        await closeHours(services.events, Date.now())
        await closeDays(services.events, Date.now())
      },
      watchNodes: () => watchNodes(services),
      liftNeedlessBans: async () => {
        await liftNeedlessBans(services)
      },
      tellOfExpiry: () => tellOfExpiry(services),
      sendMessages: async () => {
        await sendDue(services)
      },
      refreshJwks: () => refreshJwks(services),
      orderDueCertificates: () => orderDueCertificates(services),
      orderConsoleCertificate: () => orderConsoleCertificate(services),
      writeDnsRecords: () => writeDnsRecords(services),
      updateLicenseUsage: () => updateLicenseUsage(services),
      expireAccounts: async () => {
        await expireAccounts(services)
      },
      checkDomains: async () => {
        await checkDomains(services, makeDnsLookup(env.dnsServers))
      },
      limitTraffic: async () => {
        await limitTraffic(services)
      },
      sweep: async () => {
        const removed = await sweep(services)
        logger.info(removed, 'swept')
      },
    },
  })
  // A message put into the outbox is sent at once; the schedule of every minute is for retries.
  const wake = () => void runner.addJob('sendMessages', {}, { jobKey: 'sendMessages', maxAttempts: 1 })
  const order = () => {
    for (const job of ['orderDueCertificates', 'orderConsoleCertificate'])
      void runner.addJob(job, {}, { jobKey: job, maxAttempts: 1 })
  }
  const writeRecords = () =>
    void runner.addJob('writeDnsRecords', {}, { jobKey: 'writeDnsRecords', queueName: 'dns', maxAttempts: 1 })
  const askJwks = () =>
    void runner.addJob('refreshJwks', {}, { jobKey: 'refreshJwks', queueName: 'jwks', maxAttempts: 1 })
  const restored = () => {
    askJwks()
    writeRecords()
    wake()
    order()
  }
  const channels = { messages: wake, certificates: order, dns_records: writeRecords, [jwksChannel]: askJwks }
  const notices = await openNotices(env.databaseUrl, { channels, restored }, logger)
  return {
    async close() {
      await notices.close()
      await runner.stop()
    },
  }
}
