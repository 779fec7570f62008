/** Roles of a tenant. A role holds only keys that its maker holds; nobody can make, or change, one above their own. */

import type { Permission } from '@breakwater/contract/permissions.ts'
import { roles } from '@breakwater/contract/roles/roles.ts'
import type { Database } from '../db/database.ts'
import { lockTenant } from '../db/owner-lock.ts'
import { countOf, onePage } from '../db/paging.ts'
import { Fault, Faults, fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implement } from '../http/implement.ts'

/** Maximum number of roles per tenant (101029). */
const rolesMax = 200

/** Throws for the first key that the caller does not hold, at its index in the list. */
export function requireKeys(caller: Caller, keys: readonly string[], field = 'permissions'): void {
  const index = keys.findIndex((key) => !caller.permissions.has(key as Permission))
  if (index >= 0) throw fieldFault(`${field}.${index}`, 'exceedsYours', 'permissionDenied')
}

async function requireRole(db: Database, caller: Caller, roleId: number) {
  const role = await db
    .selectFrom('roles')
    .select(['id', 'name', 'permissions', 'memo'])
    .where('id', '=', roleId)
    .where('tenantId', '=', caller.tenantId)
    .forUpdate()
    .executeTakeFirst()
  if (!role?.permissions.every((key) => caller.permissions.has(key as Permission))) throw new Fault('permissionDenied')
  return role
}

async function requireFreeName(db: Database, caller: Caller, name: string, except = 0): Promise<void> {
  const other = await db
    .selectFrom('roles')
    .select('id')
    .where('tenantId', '=', caller.tenantId)
    .where((on) => on(on.fn<string>('lower', ['name']), '=', name.toLowerCase()))
    .where('id', '!=', except)
    .executeTakeFirst()
  if (other) throw fieldFault('name', 'duplicatedData', 'duplicatedData')
}

export function rolesFeature(): Feature {
  return implement(roles, {
    async list({ db, caller, query }) {
      const rows = await db
        .selectFrom('roles')
        .select(['id', 'name', 'permissions', 'memo', 'createdAt'])
        .select((on) =>
          on
            .selectFrom('accountRoles')
            .whereRef('accountRoles.roleId', '=', 'roles.id')
            .select((count) => count.fn.countAll<number>().as('n'))
            .as('accountCount'),
        )
        .where('tenantId', '=', caller.tenantId)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .$call(onePage(query))
        .execute()
      const total = await countRoles(db, caller)
      const data = rows.map((row) => ({
        ...row,
        accountCount: row.accountCount ?? 0,
        createdAt: row.createdAt.toISOString(),
      }))
      return { data, total }
    },

    async meta({ db, caller }) {
      const data = await db
        .selectFrom('roles')
        .select(['id', 'name'])
        .where('tenantId', '=', caller.tenantId)
        .orderBy('name')
        .execute()
      return { data, total: data.length }
    },

    async create({ db, caller, body, audit }) {
      requireKeys(caller, body.permissions)
      await lockTenant(db, caller.tenantId)
      await requireFreeName(db, caller, body.name)
      if ((await countRoles(db, caller)) >= rolesMax) throw new Fault('itemsExceedLimit')
      audit.detail = { after: body }
      return db
        .insertInto('roles')
        .values({ ...body, tenantId: caller.tenantId, createdBy: caller.accountId })
        .returning('id')
        .executeTakeFirstOrThrow()
    },

    async update({ db, caller, roleId, body, audit }) {
      await lockTenant(db, caller.tenantId)
      const { id, ...before } = await requireRole(db, caller, roleId)
      requireKeys(caller, body.permissions)
      await requireFreeName(db, caller, body.name, id)
      audit.detail = { id, before, after: body }
      await db.updateTable('roles').set(body).where('id', '=', id).execute()
    },

    async remove({ db, caller, roleId, audit }) {
      const { id, ...before } = await requireRole(db, caller, roleId)
      const user = await db.selectFrom('accountRoles').select('accountId').where('roleId', '=', id).executeTakeFirst()
      if (user) throw new Fault('parameterError', 'role in use')
      audit.detail = { id, before }
      await db.deleteFrom('roles').where('id', '=', id).execute()
    },

    async removeMany({ db, caller, body, audit }) {
      const rows = await db
        .selectFrom('roles')
        .select(['id', 'name', 'permissions', 'memo'])
        .where('id', 'in', body.ids)
        .where('tenantId', '=', caller.tenantId)
        .orderBy('id')
        .forUpdate()
        .execute()
      for (const { permissions } of rows)
        if (!permissions.every((key) => caller.permissions.has(key as Permission))) throw new Fault('permissionDenied')
      audit.detail = { removed: rows }
      const ids = rows.map(({ id }) => id)
      if (ids.length === 0) return
      const used = await db.selectFrom('accountRoles').select('roleId').distinct().where('roleId', 'in', ids).execute()
      if (used.length > 0) {
        const inUse = rows.filter(({ id }) => used.some(({ roleId }) => roleId === id))
        throw new Faults([{ reason: 'parameterError', targets: inUse.map(({ name }) => name), extra: 'role in use' }])
      }
      await db.deleteFrom('roles').where('id', 'in', ids).execute()
    },
  })
}

async function countRoles(db: Database, caller: Caller): Promise<number> {
  return countOf(db.selectFrom('roles').where('tenantId', '=', caller.tenantId))
}
