/** The operator's calls to create, change and remove zones and groups. */
import { randomBytes } from 'node:crypto'
import type { ZoneGroup } from '@breakwater/contract/zones/zones.ts'
import { zones } from '@breakwater/contract/zones/zones.ts'
import { asSystem, type Database } from '../db/database.ts'
import { lockTenant } from '../db/owner-lock.ts'
import { requireUnchanged } from '../http/based-on.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import { makeLicenseChecks } from '../licenses/limits.ts'
import { publishZone } from '../node-configuration/publish-zone.ts'
import { requireZone } from '../node-configuration/require-zone.ts'
import { activateGroup } from '../nodes/activate-group.ts'
import type { Services } from '../process/services.ts'
import { findGroup, groupsOfZone, requireUnused } from './groups.store.ts'

/** Without a DNS provider every group has only this line. */
const defaultLine = { id: 1, name: 'default' }

/** The group's label in the edge's DNS zone: it cannot be guessed, and is never issued twice. */
const newGroupLabel = (): string => `g${randomBytes(6).toString('hex')}`

export function zonesFeature({ env, vault }: Pick<Services, 'env' | 'vault'>): Feature {
  return implement(zones, {
    async create({ db, caller, body, audit }) {
      await lockTenant(db, caller.tenantId)
      await makeLicenseChecks(env).requireRoom(db, caller.tenantId, 'zones')
      const id = await asSystem(db, async (tx) => {
        await requireFreeZoneName(tx, caller.tenantId, body.name)
        const row = { operatorId: caller.tenantId, ...body }
        const zone = await tx.insertInto('zones').values(row).returning('id').executeTakeFirstOrThrow()
        // A caller with access to only some zones also gets access to the one they created.
        if (caller.zoneIds)
          await tx.insertInto('accountZones').values({ accountId: caller.accountId, zoneId: zone.id }).execute()
        // Applies what the operator chose for all of its zones.
        await publishZone(tx, zone.id, { actor: caller.accountName, action: audit.action ?? '' })
        return zone.id
      })
      audit.detail = { id, ...body }
      return { id }
    },

    async update({ db, caller, body, audit }) {
      const { id, basedOn, ...set } = body
      await lockTenant(db, caller.tenantId)
      const { name, memo } = await requireZone(db, id)
      requireUnchanged(basedOn, { name, memo }, 'The zone was changed meanwhile')
      await asSystem(db, async (tx) => {
        await requireFreeZoneName(tx, caller.tenantId, set.name, id)
        await tx.updateTable('zones').set(set).where('id', '=', id).execute()
      })
      audit.detail = { id, ...set }
    },

    async remove({ db, body, audit }) {
      const zone = await requireZone(db, body.id)
      await asSystem(db, async (tx) => {
        await tx.selectFrom('zones').select('id').where('id', '=', zone.id).forUpdate().execute()
        const node = await tx
          .selectFrom('nodes')
          .select('id')
          .where('zoneId', '=', zone.id)
          .where('revokedAt', 'is', null)
          .executeTakeFirst()
        if (node) throw new Fault('zoneHasNodes')
        for (const group of await groupsOfZone(tx, zone.id)) requireUnused(group)
        // Revoked nodes keep their rows; what they refer to is deleted with the zone.
        await tx.deleteFrom('nodes').where('zoneId', '=', zone.id).execute()
        await tx.deleteFrom('groups').where('zoneId', '=', zone.id).execute()
        await tx.deleteFrom('zones').where('id', '=', zone.id).execute()
      })
      audit.detail = zone
    },

    async groups({ db, zoneId }) {
      const zone = await requireZone(db, zoneId)
      const data = (await asSystem(db, (tx) => groupsOfZone(tx, zone.id))).map(
        ({ nodes, products, ...group }): ZoneGroup => ({
          ...group,
          lines: [{ ...defaultLine, nodes, virtualNodes: [] }],
          active: products.length > 0,
          products,
        }),
      )
      return { data, total: data.length }
    },

    async metaGroups({ db, zoneId, query }) {
      const zone = await requireZone(db, zoneId)
      let groups = db.selectFrom('groups').select(['id', 'name']).where('zoneId', '=', zone.id)
      if (query.portType !== undefined) groups = groups.where('portType', '=', query.portType)
      if (query.isBackup !== undefined) groups = groups.where('isBackup', '=', query.isBackup)
      const data = await groups.orderBy('name').orderBy('id').execute()
      return { data, total: data.length }
    },

    async createGroup({ db, zoneId, body, audit }) {
      const zone = await requireZone(db, zoneId)
      const id = await asSystem(db, async (tx) => {
        await requireFreeGroupName(tx, zone.id, body.name)
        const row = { zoneId: zone.id, ...body, label: newGroupLabel() }
        const group = await tx.insertInto('groups').values(row).returning('id').executeTakeFirstOrThrow()
        await activateGroup(tx, vault, group.id)
        return group.id
      })
      audit.detail = { zone: zone.name, id, ...body }
      return { id }
    },

    async updateGroup({ db, zoneId, body, audit }) {
      const zone = await requireZone(db, zoneId)
      const { id, portType, basedOn, ...set } = body
      await asSystem(db, async (tx) => {
        const group = await findGroup(tx, zone.id, id)
        requireUnchanged(basedOn, group, 'The group was changed meanwhile')
        if (portType !== undefined && portType !== group.portType) throw new Fault('illegalPortType')
        if (set.name !== undefined) await requireFreeGroupName(tx, zone.id, set.name, id)
        // Products use the group as either a main or a backup group.
        if (set.isBackup !== undefined && set.isBackup !== group.isBackup) {
          if (group.siteCount > 0) throw new Fault('siteScheduled', { sites: group.siteCount })
          if (group.products.length > 0) throw new Fault('groupActive', { products: group.products })
        }
        if (Object.keys(set).length > 0) await tx.updateTable('groups').set(set).where('id', '=', id).execute()
      })
      const { basedOn: _, ...detail } = body
      audit.detail = { zone: zone.name, ...detail }
    },

    async removeGroup({ db, zoneId, body, audit }) {
      const zone = await requireZone(db, zoneId)
      const name = await asSystem(db, async (tx) => {
        const group = await findGroup(tx, zone.id, body.id)
        requireUnused(group)
        if (group.nodes.length > 0) throw new Fault('nodeInGroup', { nodes: group.nodes.map((node) => node.name) })
        await tx.updateTable('nodes').set({ groupId: null }).where('groupId', '=', group.id).execute()
        await tx.deleteFrom('groups').where('id', '=', group.id).execute()
        return group.name
      })
      audit.detail = { zone: zone.name, id: body.id, name }
    },
  })
}

/**
 * Throws 201002 if the name is taken. The operator is locked, so that two concurrent calls do not both find the name
 * free.
 */
async function requireFreeZoneName(db: Database, operatorId: number, name: string, except = 0): Promise<void> {
  const taken = await db
    .selectFrom('zones')
    .select('id')
    .where('operatorId', '=', operatorId)
    .where('name', '=', name)
    .where('id', '!=', except)
    .executeTakeFirst()
  if (taken) throw new Fault('zoneNameExists')
}

/** Throws 101025 if the name is taken. Locks the zone's row first. */
async function requireFreeGroupName(db: Database, zoneId: number, name: string, except = 0): Promise<void> {
  await db.selectFrom('zones').select('id').where('id', '=', zoneId).forUpdate().execute()
  const taken = await db
    .selectFrom('groups')
    .select('id')
    .where('zoneId', '=', zoneId)
    .where('name', '=', name)
    .where('id', '!=', except)
    .executeTakeFirst()
  if (taken) throw new Fault('duplicatedData', [{ field: 'name', reason: 'duplicatedData' }])
}
