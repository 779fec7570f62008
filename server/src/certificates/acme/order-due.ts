/** Job: orders and renews automatic certificates. No transaction is open while waiting for an authority. */
import { withSystem } from '../../db/database.ts'
import { challengeRecordOf } from '../../dns/challenge-record.ts'
import { providerOf } from '../../dns/dns-settings.ts'
import { makeDnsLookup } from '../../domains/dns-check.ts'
import type { Services } from '../../process/services.ts'
import { placeOf } from '../../sites/serving-zone.ts'
import { readCertificate } from '../read-certificate.ts'
import { thumbprintOf } from './account-key.ts'
import { mayOrder, noteEvent } from './budgets.ts'
import type { Proof } from './client.ts'
import { type DnsPlace, publish, withdraw, withdrawForgotten } from './dns-proof.ts'
import { accountOf, asked, type Maker, makerOf, plan, replaced } from './maker.ts'
import {
  claimOrders,
  type DueOrder,
  keepIssued,
  noteCovered,
  noteFailure,
  noteNext,
  reconcileOrders,
} from './orders.ts'
import { caaPermits, obstacleOf } from './preflight.ts'
import { afterFailure, budgetWaitMs, Refused } from './refused.ts'
import { makeRequest } from './request.ts'

type Given = Pick<Services, 'database' | 'vault' | 'publisher' | 'guard' | 'env' | 'logger'>

/** Concurrent orders: an authority takes seconds for each. */
const atOnce = 8
/** Processes everything that is due. */
export async function orderDueCertificates(services: Given): Promise<void> {
  const { db } = services.database
  await withSystem(db, reconcileOrders)
  await withdrawForgotten(services)
  for (;;) {
    const due = await withSystem(db, (tx) => claimOrders(tx, atOnce))
    await Promise.all(due.map((order) => tendOrder(services, order)))
    // Repeats until nothing is due, because a name may have waited for the wildcard that covers it.
    if (due.length === 0) return
  }
}

async function tendOrder(services: Given, order: DueOrder): Promise<void> {
  const { database, logger } = services
  let askedBy: Maker | undefined
  if (order.coveredUntil !== null) {
    await withSystem(database.db, (db) => noteCovered(db, order))
    return
  }
  try {
    const maker = await makerOf(services, order)
    if (await maybeLater(services, order, maker)) return
    const place = await requireOrderable(services, order, maker)
    askedBy = maker
    await issue(services, order, maker, place)
  } catch (error) {
    const { message } = error as Error
    logger.warn({ domain: order.name, reason: message }, 'no certificate was issued')
    const { attempts, waitMs } = afterFailure(error as Error, order.attempts)
    await withSystem(database.db, async (db) => {
      await noteFailure(db, order, { attempts, detail: message, nextAt: Date.now() + waitMs })
      if (askedBy) await noteEvent(db, asked(askedBy, order.name), 'failure')
    })
  }
}

/** Returns true if the certificate is still good, and schedules the next check. */
async function maybeLater({ database }: Given, order: DueOrder, { client }: Maker): Promise<boolean> {
  const { chain, notBefore, notAfter, renewAt } = order
  if (chain === null || notBefore === null || notAfter === null || renewAt.getTime() <= Date.now()) return false
  const { at, next } = await plan(client, chain, { notBefore, notAfter })
  if (at <= Date.now()) return false
  await withSystem(database.db, (db) => noteNext(db, order, next, at))
  return true
}

/**
 * Where DNS records prove the name; undefined if it is proven over HTTP. Throws a Refused if no order should be placed.
 */
async function requireOrderable(services: Given, order: DueOrder, maker: Maker): Promise<DnsPlace | undefined> {
  const { database, env, guard } = services
  const { client, key } = maker
  if (!order.isServed) throw new Refused('notProven')
  const nodes = await withSystem(database.db, async (db) => {
    const isReplacing = order.chain !== null
    if (!(await mayOrder(db, asked(maker, order.name), isReplacing))) throw new Refused('budgetSpent', budgetWaitMs)
    return (await placeOf(db, order))?.addresses ?? []
  })
  const { meta } = await client.directory()
  const look = {
    name: order.name,
    thumbprint: thumbprintOf(key),
    caaIdentities: meta?.caaIdentities ?? [],
    dnsServers: env.dnsServers,
    port: env.acmeHttpPort,
    mayReach: (address: string) => nodes.includes(address) || guard.mayReach(address),
  }
  if (!(await caaPermits(look))) throw new Refused('caaForbids')
  const isWildcard = order.name.startsWith('*.')
  const obstacle = isWildcard ? undefined : await obstacleOf(look)
  if (!isWildcard && obstacle === undefined) return undefined
  // A name that does not point here yet can be proven over DNS before it does.
  const place = await dnsPlaceOf(services, order)
  if (typeof place === 'object') return place
  throw new Refused(obstacle ?? place)
}

/** Where DNS records prove a name: the operator has a DNS provider, and the customer's CNAME points there. */
async function dnsPlaceOf(
  services: Given,
  { operatorId, tenantId, name }: DueOrder,
): Promise<DnsPlace | 'noDnsProvider' | 'notDelegated'> {
  const provider = await withSystem(services.database.db, (db) => providerOf(db, services, operatorId))
  if (!provider) return 'noDnsProvider'
  const record = challengeRecordOf(provider.zone, tenantId, name)
  const { names } = await makeDnsLookup(services.env.dnsServers).leadsTo(record.name)
  return names.some((one) => one.toLowerCase().replace(/\.$/, '') === record.value)
    ? { provider, record, operatorId }
    : 'notDelegated'
}

async function issue(services: Given, order: DueOrder, maker: Maker, place: DnsPlace | undefined): Promise<void> {
  const { authority, client, key } = maker
  const account = await accountOf(services.database.db, maker)
  await withSystem(services.database.db, (db) => noteEvent(db, asked(maker, order.name), 'order'))
  // A wildcard does not cover its parent name, which visitors use as well.
  const names = order.name.startsWith('*.') ? [order.name, order.name.slice(2)] : [order.name]
  const { key: own, csr } = await makeRequest(names)
  const replaces = order.chain === null || order.attempts > 0 ? undefined : await replaced(client, order.chain)
  const chain = await proving(services, place, (proof) =>
    client.order(account, names, csr, proof, { profile: authority.profile, ...(replaces && { replaces }) }),
  )
  const certificate = readCertificate(chain, own)
  const { at, next } = await plan(client, certificate.chain, certificate)
  await keepIssued(services, order, {
    ...{ certificate, key: own.export({ type: 'pkcs8', format: 'pem' }).toString(), directory: authority.directory },
    ...{ nextAt: next, renewAt: at },
  })
  services.logger.info({ domain: order.name, thumbprint: thumbprintOf(key) }, 'a certificate was issued')
}

/** Runs an order whose names are proven at this place, and cleans up afterwards. */
async function proving<T>(services: Given, place: DnsPlace | undefined, run: (proof: Proof) => Promise<T>): Promise<T> {
  if (!place) return run({ type: 'http-01' })
  const { database, env, logger } = services
  const written: string[] = []
  try {
    return await run({
      type: 'dns-01',
      async ready(values) {
        written.push(...values)
        const isSeen = await publish(database.db, makeDnsLookup(env.dnsServers), place, values)
        if (!isSeen) throw new Refused('recordNotSeen')
      },
    })
  } finally {
    // Anything left over is removed later (`withdrawForgotten`).
    await withdraw(database.db, place, written).catch(({ message }: Error) =>
      logger.warn({ record: place.record.value, reason: message }, 'a TXT record could not be removed'),
    )
  }
}
