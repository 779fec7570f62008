/** The operator's trigger frequencies: their calls, and how its customers' anti-CC rules use them. */
import {
  defaultFrequencies,
  Frequency,
  type FrequencyChange,
  frequencies,
} from '@breakwater/contract/firewall/frequencies.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { asSystem, type Database } from '../db/database.ts'
import { fieldFault } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { publishMany } from '../publish/change-many.ts'
import type { SiteDocument } from '../publish/document.ts'
import { anyOf } from '../publish/gather.ts'
import { lockSites } from '../publish/locked-sites.ts'
import { bodyOf, type Gather, type SitePart } from '../publish/part.ts'
import type { RuleCheck } from '../rules/rule-check.ts'
import { readSettings, writeSettings } from '../settings/owned-settings.ts'

const name = 'frequency'
const Offered = z.object({ items: z.array(Frequency) })
type Offered = z.output<typeof Offered>
/** `lastId`: ids are never reused, so that a rule in an old revision cannot come to mean a different frequency. */
const Saved = Offered.extend({ lastId: z.number().int() })
type Saved = z.output<typeof Saved>

const none: Saved = { items: [...defaultFrequencies], lastId: defaultFrequencies.length }

const savedOf = async (db: Database, operator: number): Promise<Saved> =>
  (await readSettings(db, 'operator', operator, name, Saved)) ?? none

/** The frequencies offered by a tenant's operator. Customers cannot read its settings directly. */
const offeredTo = (db: Database, tenantId: number): Promise<Saved> =>
  asSystem(db, async (system) => {
    const { operatorId } = await system
      .selectFrom('tenants')
      .select(sql<number>`coalesce(operator_id, id)`.as('operatorId'))
      .where('id', '=', tenantId)
      .executeTakeFirstOrThrow()
    return savedOf(system, operatorId)
  })

/** The saved frequencies of the operators, for each site of their customers. */
const gatherOffered: Gather = async (db, siteIds) => {
  const rows = await db
    .selectFrom('sites')
    .innerJoin('tenants', 'tenants.id', 'sites.tenantId')
    .innerJoin('settings', (on) =>
      on
        .onRef('settings.ownerId', '=', sql`coalesce(tenants.operator_id, tenants.id)` as never)
        .on('settings.owner', '=', 'operator')
        .on('settings.name', '=', name),
    )
    .select(['sites.id', 'settings.value'])
    .where('sites.id', '=', anyOf(siteIds))
    .execute()
  return new Map(rows.map(({ id, value }) => [id, { operatorFrequencies: Offered.parse(value) }]))
}

export const frequenciesPart: SitePart<Offered> = {
  owner: 'site',
  name: 'operatorFrequencies',
  schema: Offered,
  gather: gatherOffered,
  isGatheredAsSystem: true,
  empty: { items: none.items },
  isShared: true,
  // Only the operator's business: not part of the differences between revisions of the site.
  items: () => [],
  async restore() {},
}

/** The frequency that a rule names; undefined if it is not offered. */
export const frequencyOf = (document: SiteDocument, type: number): Frequency | undefined =>
  bodyOf(document, frequenciesPart).items.find(({ id }) => id === type)

/** Throws 101018 if a rule names a frequency that the site's operator does not offer. */
export const requireFrequencies: RuleCheck = async (db, { tenantId }, items) => {
  if (items.length === 0) return
  const offered = new Set((await offeredTo(db, tenantId)).items.map(({ id }) => id))
  if (items.some(({ type }) => !offered.has(Number(type)))) throw fieldFault('type', 'notFound', 'permissionDenied')
}

/** Assigns ids to new frequencies. */
function withIds({ items }: FrequencyChange, before: Saved): Saved {
  let { lastId } = before
  const known = new Set(before.items.map(({ id }) => id))
  const saved = items.map(({ id, ...rest }, index) => {
    if (id !== undefined && !known.has(id)) throw fieldFault(`items.${index}.id`, 'notFound', 'permissionDenied')
    if (id === undefined) lastId++
    return { id: id ?? lastId, ...rest }
  })
  return { items: saved, lastId }
}

/** The sites of an operator and its customers, and the frequencies that the rules of each name. */
const usedBy = (db: Database, operator: number) =>
  asSystem(db, async (system) => {
    const { rows } = await sql<{ id: number; types: number[] }>`
      select s.id, coalesce((
        select array_agg((r.body->>'type')::int) from rules r where r.site_id = s.id and r.kind = 'antiCC'), '{}') as types
      from sites s join tenants t on t.id = s.tenant_id
      where coalesce(t.operator_id, t.id) = ${operator}::int and s.removed_at is null
      order by s.id`.execute(system)
    return rows
  })

export function frequenciesFeature({ publisher }: Services): Feature {
  return implement(frequencies, {
    async get({ db, caller }) {
      return (await offeredTo(db, caller.tenantId)).items
    },

    async update({ db, caller, body, audit }) {
      const { tenantId } = caller
      // No site's rules can change until this is saved.
      const all = (await usedBy(db, tenantId)).map(({ id }) => id)
      const locked = await lockSites(db, all)
      const before = await savedOf(db, tenantId)
      const saved = withIds(body, before)
      const said = (of: Saved, id: number) => of.items.find((one) => one.id === id)
      const isOther = (id: number) => {
        const [was, is] = [said(before, id), said(saved, id)]
        return was?.seconds !== is?.seconds || was?.times !== is?.times
      }
      const used = await usedBy(db, tenantId)
      if (used.some(({ types }) => types.some((id) => said(before, id) && !said(saved, id))))
        throw fieldFault('items', 'frequencyInUse')
      await writeSettings(db, { owner: 'operator', ownerId: tenantId, name, tenantId }, saved)
      const changed = new Set(used.flatMap(({ id, types }) => (types.some(isOther) ? [id] : [])))
      const sites = locked.filter(({ id }) => changed.has(id))
      await publishMany(db, sites, publisher, { actor: caller.accountName, action: frequencies.update.audit! })
      audit.detail = { before: before.items, after: saved.items }
    },
  })
}
