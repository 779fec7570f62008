/** Roles: named sets of permission keys, of a customer or an operator (rules Q1, gaps B-2). */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Memo, MomentText, Name } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'
import { permissions } from '../permissions.ts'

/** Keys without repetition, in the order they were given. */
export const PermissionKeys = z
  .array(z.enum(permissions))
  .max(permissions.length, 'itemsExceedLimit')
  .transform((keys) => [...new Set(keys)])

const RoleFields = { name: Name, permissions: PermissionKeys, memo: Memo.default('') }

export const Role = z.object({
  id: z.number().int(),
  name: z.string(),
  permissions: z.array(z.string()),
  memo: z.string(),
  accountCount: z.number().int().describe('How many accounts have the role.'),
  createdAt: MomentText,
})
export type Role = z.output<typeof Role>

export const roles = {
  list: endpoint('role.list', 'GET', '/:tier/roles', {
    can: 'roles.read',
    query: Paging,
    reply: pageOf(Role),
    kind: 'list',
    summary: 'Lists the roles of one’s tenant.',
  }),
  meta: endpoint('role.meta', 'GET', '/:tier/metaRoles', {
    can: 'roles.read',
    reply: pageOf(z.object({ id: z.number().int(), name: z.string() })),
    kind: 'list',
    summary: 'Ids and names of all roles, unpaged.',
  }),
  create: endpoint('role.create', 'POST', '/:tier/roles', {
    can: 'roles.write',
    audit: 'role.create',
    body: z.strictObject(RoleFields),
    reply: z.object({ id: z.number().int() }),
    summary: 'Makes a role of keys that the caller holds.',
  }),
  update: endpoint('role.update', 'PUT', '/:tier/roles/:roleId', {
    can: 'roles.write',
    audit: 'role.update',
    body: z.strictObject(RoleFields),
    summary: 'Changes a role. Whoever has it may do so much from the next call on.',
  }),
  remove: endpoint('role.remove', 'DELETE', '/:tier/roles/:roleId', {
    can: 'roles.write',
    audit: 'role.remove',
    summary: 'Removes a role that nobody has.',
  }),
}
