/**
 * Job: orders and renews the certificate for the console's own URL, with the account of the first operator that has a
 * certificate authority. The API's processes answer the challenges (`listen.ts`).
 */
import { isIP } from 'node:net'
import { type Database, withSystem } from '../../db/database.ts'
import type { Services } from '../../process/services.ts'
import { thumbprintOf } from '../acme/account-key.ts'
import { mayOrder, noteEvent } from '../acme/budgets.ts'
import { accountOf, asked, type Maker, makerOf, plan, replaced } from '../acme/maker.ts'
import { caaPermits, obstacleOf } from '../acme/preflight.ts'
import { afterFailure, budgetWaitMs, Refused } from '../acme/refused.ts'
import { makeRequest } from '../acme/request.ts'
import { authoritiesOf } from '../acme/settings.ts'
import { readCertificate } from '../read-certificate.ts'
import {
  type ConsoleOrder,
  claimConsoleOrder,
  keepConsoleCertificate,
  noteConsoleOrder,
} from './console-certificate.ts'

type Given = Pick<Services, 'database' | 'vault' | 'guard' | 'env' | 'logger'>

/** Authorities issue certificates for IP addresses for a few days only, under this profile. */
const profileOfAddresses = 'shortlived'

export async function orderConsoleCertificate(services: Given): Promise<void> {
  const { database, env, logger } = services
  const { host, files, httpsPort } = env.consoleTls ?? { httpsPort: 0 }
  if (!host || files || httpsPort === 0) return
  const order = await withSystem(database.db, (db) => claimConsoleOrder(db, host))
  if (!order) return
  let askedBy: Maker | undefined
  try {
    const maker = await firstMaker(services, order)
    await withSystem(database.db, (db) => noteConsoleOrder(db, host, { thumbprint: thumbprintOf(maker.key) }))
    if (await maybeLater(database.db, order, maker)) return
    await requireOrderable(services, order, maker)
    askedBy = maker
    await issue(services, order, maker)
    logger.info({ host }, 'a certificate of the console was issued')
  } catch (error) {
    const { message } = error as Error
    logger.warn({ host, reason: message }, 'no certificate of the console was issued')
    const { attempts, waitMs } = afterFailure(error as Error, order.attempts)
    await withSystem(database.db, async (db) => {
      await noteConsoleOrder(db, host, {
        attempts,
        detail: message.slice(0, 500),
        nextAt: new Date(Date.now() + waitMs),
      })
      if (askedBy) await noteEvent(db, asked(askedBy, host), 'failure')
    })
  }
}

/** The authority to use, from the first operator that has one. Throws a Refused if none has. */
async function firstMaker(services: Given, { attempts }: ConsoleOrder): Promise<Maker> {
  const operatorId = await withSystem(services.database.db, async (db) => {
    const operators = await db.selectFrom('tenants').select('id').where('kind', '=', 'operator').orderBy('id').execute()
    for (const { id } of operators) if ((await authoritiesOf(db, services.vault, id)).length > 0) return id
    throw new Refused('noAuthority', budgetWaitMs)
  })
  return makerOf(services, { operatorId, attempts })
}

/** Returns true if the certificate is still good, and schedules the next check. */
async function maybeLater(db: Database, order: ConsoleOrder, { client }: Maker): Promise<boolean> {
  const { name, chain, notBefore, notAfter, renewAt } = order
  if (!notBefore || !notAfter || renewAt.getTime() <= Date.now()) return false
  const { at, next } = await plan(client, chain, { notBefore, notAfter })
  if (at <= Date.now()) return false
  await withSystem(db, (tx) => noteConsoleOrder(tx, name, { nextAt: new Date(next), renewAt: new Date(at) }))
  return true
}

/** Throws a Refused if no order should be placed. */
async function requireOrderable(services: Given, { name, chain }: ConsoleOrder, maker: Maker): Promise<void> {
  const { database, env } = services
  const mayGo = await withSystem(database.db, (db) => mayOrder(db, asked(maker, name), chain !== ''))
  if (!mayGo) throw new Refused('budgetSpent', budgetWaitMs)
  const { meta } = await maker.client.directory()
  const look = {
    name,
    thumbprint: thumbprintOf(maker.key),
    caaIdentities: meta?.caaIdentities ?? [],
    dnsServers: env.dnsServers,
    port: env.acmeHttpPort,
    // The name is the installation's own, not a tenant's.
    mayReach: () => true,
  }
  if (!(await caaPermits(look))) throw new Refused('caaForbids')
  const obstacle = await obstacleOf(look)
  if (obstacle) throw new Refused(obstacle)
}

async function issue(services: Given, { name, chain: before, attempts }: ConsoleOrder, maker: Maker): Promise<void> {
  const { database, vault } = services
  const { client } = maker
  const account = await accountOf(database.db, maker)
  await withSystem(database.db, (db) => noteEvent(db, asked(maker, name), 'order'))
  const { key, csr } = await makeRequest([name])
  const replaces = before === '' || attempts > 0 ? undefined : await replaced(client, before)
  const profile = maker.authority.profile || (isIP(name) ? profileOfAddresses : '')
  const chain = await client.order(
    account,
    [name],
    csr,
    { type: 'http-01' },
    { profile, ...(replaces && { replaces }) },
  )
  const certificate = readCertificate(chain, key)
  const { at, next } = await plan(client, certificate.chain, certificate)
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  const dates = { nextAt: new Date(next), renewAt: new Date(at) }
  await withSystem(database.db, (db) => keepConsoleCertificate(db, vault, name, { certificate, key: pem, ...dates }))
}
