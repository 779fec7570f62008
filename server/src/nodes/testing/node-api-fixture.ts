/** A node API on a real PostgreSQL, with one operator, one customer, two zones and their groups. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { openAuthority } from '../../authority/authority.ts'
import { type Database, openDatabase, withSystem } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { startPostgres } from '../../engines/postgres.ts'
import type { Ingest } from '../../events/ingest.ts'
import type { Env } from '../../process/env.ts'
import { openVault } from '../../secrets/vault.ts'
import { patienceMs } from '../../testing/patience.ts'
import { makeToken } from '../enrol-token.ts'
import { startNodeApi } from '../node-api.ts'
import type { NodeApiServices } from '../node-api-parts.ts'

export type NodeApiFixture = Awaited<ReturnType<typeof startNodeApiFixture>>

/** The data folder of an installation, with a `keys` folder: for a second authority without a database. */
export function newDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-node-api-'))
  mkdirSync(join(folder, 'keys'), { mode: 0o700 })
  return folder
}

/** For tests that are not about events. */
const noEvents: Ingest = () => Promise.reject(new Error('no events here'))

export async function startNodeApiFixture(ingest: Ingest = noEvents) {
  const dataFolder = newDataFolder()
  const engine = await startPostgres({ dataFolder, durable: false })
  await migrate(engine.url)
  const lines: Record<string, unknown>[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const env = { dataFolder, databaseUrl: engine.url, nodePort: 0 } as Env
  const database = openDatabase(engine.url, { patienceMs })
  // Nothing here queries the event store.
  const events = {} as NodeApiServices['events']
  const services: NodeApiServices = { env, database, events, vault: openVault(dataFolder), logger }
  const authority = await openAuthority(dataFolder)
  const nodeApi = await startNodeApi(services, authority, ingest)
  const asSystem = <T>(run: (db: Database) => Promise<T>) => withSystem(database.db, run)
  return {
    ...(await asSystem(makeTenants)),
    services,
    authority,
    nodeApi,
    server: `https://127.0.0.1:${nodeApi.port}`,
    lines,
    asSystem,
    token: (zoneId: number, name = 'node') => asSystem((db) => makeToken(db, zoneId, name)),
    /** Test nodes report only now and then, real ones every second: from now on none counts as offline for that. */
    keepNodesHeard() {
      const hear = () => database.pool.query('update nodes set last_seen_at = now() where last_seen_at is not null')
      const timer = setInterval(() => void hear().catch(() => undefined), 2_000)
      return () => clearInterval(timer)
    },
    async close() {
      await nodeApi.close()
      await database.close()
      await engine.stop()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

async function makeTenants(db: Database) {
  const operator = await insertTenant(db, { kind: 'operator', name: 'operator', operatorId: null })
  const customer = await insertTenant(db, { kind: 'customer', name: 'customer', operatorId: operator })
  const product = await db
    .insertInto('products')
    .values({ operatorId: operator, name: 'standard' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const east = await makeZone(db, operator, 'east')
  const west = await makeZone(db, operator, 'west')
  return { operator, customer, product: product.id, east, west }
}

async function insertTenant(
  db: Database,
  values: { kind: 'operator' | 'customer'; name: string; operatorId: number | null },
): Promise<number> {
  return (await db.insertInto('tenants').values(values).returning('id').executeTakeFirstOrThrow()).id
}

/** Creates a zone with one main group. */
export async function makeZone(db: Database, operatorId: number, name: string) {
  const zone = await db.insertInto('zones').values({ operatorId, name }).returning('id').executeTakeFirstOrThrow()
  const group = await db
    .insertInto('groups')
    .values({ zoneId: zone.id, name: 'main', label: randomBytes(4).toString('hex') })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { zoneId: zone.id, groupId: group.id }
}

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** Creates a site as publishing leaves it: its row, an artefact with one part, and its entry in a group's feed. */
export async function publish(
  db: Database,
  fixture: { customer: number; product: number },
  groupId: number,
  content: string,
  known?: { siteId: number; revision: number },
  files = (revision: number) => ({
    part: `{"part":"${content}","revision":${revision}}`,
    artefact: `{"artefact":"${content}","revision":${revision}}`,
  }),
) {
  const siteId = known?.siteId ?? (await insertSite(db, fixture, content))
  const revision = (known?.revision ?? 0) + 1
  const [part, artefact] = [Buffer.from(files(revision).part), Buffer.from(files(revision).artefact)]
  const rows = [part, artefact].map((bytes) => ({ hash: sha256(bytes), bytes }))
  await db.updateTable('sites').set({ revision }).where('id', '=', siteId).execute()
  await db.insertInto('objects').values(rows).execute()
  await db
    .insertInto('artefactObjects')
    .values({ artefact: sha256(artefact), object: sha256(part) })
    .execute()
  await db
    .insertInto('feeds')
    .values({ groupId })
    .onConflict((on) => on.doNothing())
    .execute()
  const { head } = await db
    .updateTable('feeds')
    .set((row) => ({ head: row('head', '+', 1), desired: row('head', '+', 1) }))
    .where('groupId', '=', groupId)
    .returning('head')
    .executeTakeFirstOrThrow()
  const entry = { sequence: head, revision, artefact: sha256(artefact), hosts: [`${content}.example`] }
  await db
    .insertInto('feedEntries')
    .values({ groupId, siteId, ...entry })
    .onConflict((on) => on.columns(['groupId', 'siteId']).doUpdateSet(entry))
    .execute()
  return {
    siteId,
    revision,
    sequence: head,
    artefact: sha256(artefact).toString('hex'),
    part: sha256(part).toString('hex'),
  }
}

async function insertSite(db: Database, fixture: { customer: number; product: number }, name: string): Promise<number> {
  const site = await db
    .insertInto('sites')
    .values({
      tenantId: fixture.customer,
      productId: fixture.product,
      name,
      label: randomBytes(8).toString('hex'),
      limitations: JSON.stringify({ domains: 1, ports: 1, trafficBytes: 0 }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return site.id
}
