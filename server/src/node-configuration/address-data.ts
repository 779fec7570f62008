/**
 * Address data that an operator uploads: parsed, compared with the data in use, selected for all of its nodes, and
 * reverted.
 */

import { type AddressDataKind, addressDataKinds } from '@breakwater/contract/address-data/csv.ts'
import type { AddressTable } from '@breakwater/contract/edge/address-table.ts'
import { objectBytesMax } from '@breakwater/contract/edge/artefact.ts'
import {
  type AddressData,
  type AddressDataComparison,
  addressData,
  addressDataMax,
} from '@breakwater/contract/nodes/address-data.ts'
import { sql } from 'kysely'
import { addressDataName, type ChosenData, readChosenData } from '../address-data/chosen.ts'
import { compareTables } from '../address-data/compare.ts'
import { unpackTable } from '../address-data/place-of.ts'
import { releaseData, releaseTable } from '../address-data/release.ts'
import { readUploadedData } from '../address-data/uploaded.ts'
import { asSystem, type Database } from '../db/database.ts'
import { lockTenant } from '../db/owner-lock.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implement, implementOpen } from '../http/implement.ts'
import { sha256 } from '../publish/canonical.ts'
import { writeSettings } from '../settings/owned-settings.ts'
import { publishZone } from './publish-zone.ts'

export function addressDataFeature(): Feature {
  const { add, compare, use, ...calls } = addressData
  return [
    ...implement(calls, {
      async list({ db, caller }) {
        const data = await readAll(db, await readChosenData(db, caller.tenantId))
        return { data, total: data.length }
      },

      async remove({ db, caller, body, audit }) {
        await lockTenant(db, caller.tenantId)
        const chosen = await readChosenData(db, caller.tenantId)
        const gone = (await readAll(db, chosen)).filter(({ id }) => id > 0 && body.ids.includes(id))
        if (gone.length < new Set(body.ids).size) throw new Fault('permissionDenied')
        if (gone.some(({ state }) => state === 'inUse')) throw fieldFault('ids', 'inUse')
        await db.deleteFrom('addressData').where('id', 'in', body.ids).execute()
        audit.detail = { removed: gone.map(({ id, kind, source }) => ({ id, kind, source })) }
      },
    }),
    ...implementOpen(
      { add, compare, use },
      {
        async add({ transact, caller, body, audit }) {
          requireWhole(caller)
          const { kind, second, ...said } = body
          const files = [body.file, ...(second ? [second] : [])]
          const read = await readUploadedData(caller.tenantId, kind, files)
          const fileName = files.map(({ name }) => name.slice(0, 200)).join(', ')
          if ('problems' in read) {
            audit.detail = { kind, fileName, refused: read.problems.length }
            return { id: 0, problems: read.problems }
          }
          const bytes = Buffer.from(read.bytes, 'base64')
          if (bytes.length > objectBytesMax) throw fieldFault('file', 'fileTooLarge')
          const hash = sha256(bytes)
          const source = said.source || read.source || fileName.slice(0, 100)
          const { id } = await transact(async (db) => {
            await lockTenant(db, caller.tenantId)
            const there = await db.selectFrom('addressData').select('hash').where('kind', '=', kind).execute()
            if (there.some((row) => row.hash.equals(hash))) throw fieldFault('file', 'duplicatedData')
            if (there.length >= addressDataMax) throw new Fault('itemsExceedLimit')
            const { credit, licence } = said
            const { v4, v6, builtAt, names } = read
            return db
              .insertInto('addressData')
              .values({
                ...{ operatorId: caller.tenantId, kind, source, credit, licence, fileName, v4, v6, hash, bytes },
                ...{ builtAt, names: names === null ? null : Buffer.from(names, 'base64'), actor: caller.accountName },
              })
              .returning('id')
              .executeTakeFirstOrThrow()
          })
          audit.detail = { after: { id, kind, source, fileName, v4: read.v4, v6: read.v6 } }
          return { id, problems: [] }
        },

        async compare({ transact, caller, dataId }) {
          return transact(async (db) => {
            const row = await db.selectFrom('addressData').select('kind').where('id', '=', dataId).executeTakeFirst()
            if (!row) throw new Fault('permissionDenied')
            return compareWithUsed(db, row.kind, await readChosenData(db, caller.tenantId), dataId)
          })
        },

        async use({ transact, caller, body, audit }) {
          requireWhole(caller)
          const { kind, id } = body
          await transact(async (db) => {
            await lockTenant(db, caller.tenantId)
            const chosen = await readChosenData(db, caller.tenantId)
            const before = chosen[kind]
            if (before.id === id) return
            const { source } = await requireData(db, kind, id)
            // Data that was in use before, or that came with the release, needs no comparison.
            const isKnown = id === 0 || id === before.before
            const isOdd = !isKnown && !body.isConfirmed && (await compareWithUsed(db, kind, chosen, id)).isOdd
            if (isOdd) throw fieldFault('isConfirmed', 'differsMuch')
            const key = { owner: 'operator' as const, ownerId: caller.tenantId, name: addressDataName }
            const value: ChosenData = { ...chosen, [kind]: { id, before: before.id } }
            await writeSettings(db, { ...key, tenantId: caller.tenantId }, value)
            await publishAll(db, caller, audit.action ?? '')
            audit.detail = { kind, id, source, before: before.id, isConfirmed: body.isConfirmed }
          })
        },
      },
    ),
  ]
}

/** The choice applies to all zones: a caller with only some of them may not choose for the others. */
function requireWhole(caller: Caller): void {
  if (caller.zoneIds !== undefined) throw new Fault('permissionDenied')
}

/** Publishes each zone of the operator, in the order in which zones are always locked. */
async function publishAll(db: Database, { tenantId, accountName }: Caller, action: string): Promise<void> {
  await asSystem(db, async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select id from zones where operator_id = ${tenantId}::int order by id for update`.execute(tx)
    for (const { id } of rows) await publishZone(tx, id, { actor: accountName, action })
  })
}

/** Locks the data against removal until the transaction ends. */
async function requireData(db: Database, kind: AddressDataKind, id: number): Promise<{ source: string }> {
  if (id === 0) return releaseData()[kind]
  const row = await db
    .selectFrom('addressData')
    .select('source')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .forShare()
    .executeTakeFirst()
  if (!row) throw new Fault('permissionDenied')
  return row
}

async function compareWithUsed(
  db: Database,
  kind: AddressDataKind,
  chosen: ChosenData,
  id: number,
): Promise<AddressDataComparison> {
  const [inUse, given] = [await tableOf(db, kind, chosen[kind].id), await tableOf(db, kind, id)]
  return compareTables(kind, inUse, given)
}

async function tableOf(db: Database, kind: AddressDataKind, id: number): Promise<AddressTable> {
  if (id === 0) return releaseTable(kind)
  const row = await db
    .selectFrom('addressData')
    .select('bytes')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (!row) throw new Fault('permissionDenied')
  return unpackTable(row.bytes)
}

/** The release's data and the caller's own. */
async function readAll(db: Database, chosen: ChosenData): Promise<AddressData[]> {
  const rows = await db
    .selectFrom('addressData')
    .select(['id', 'kind', 'source', 'credit', 'licence', 'fileName', 'builtAt', 'v4', 'v6', 'actor', 'createdAt'])
    .orderBy('id', 'desc')
    .execute()
  const release = releaseData()
  const stateOf = (kind: AddressDataKind, id: number): AddressData['state'] =>
    chosen[kind].id === id ? 'inUse' : chosen[kind].before === id ? 'before' : 'kept'
  return [
    ...addressDataKinds.map((kind) => ({
      ...{ id: 0, kind, fileName: '', actor: '', createdAt: null, state: stateOf(kind, 0) },
      ...release[kind],
    })),
    ...rows.map(({ builtAt, createdAt, ...row }) => ({
      ...row,
      state: stateOf(row.kind, row.id),
      builtAt: builtAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
    })),
  ]
}
