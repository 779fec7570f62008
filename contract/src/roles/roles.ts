/** Roles: named sets of permission keys, of a customer or an operator. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Memo, MomentText, Name } from '../fields.ts'
import { Ids, Paging, pageOf } from '../paging.ts'
import { PermissionKeys } from '../permission-keys.ts'

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
    summary: 'Lists ids and names of all roles, unpaged.',
  }),
  create: endpoint('role.create', 'POST', '/:tier/roles', {
    can: 'roles.write',
    body: z.strictObject(RoleFields),
    reply: z.object({ id: z.number().int() }),
    summary: 'Creates a role from permission keys that the caller holds.',
  }),
  update: endpoint('role.update', 'PUT', '/:tier/roles/:roleId', {
    can: 'roles.write',
    body: z.strictObject(RoleFields),
    summary: 'Updates a role. It takes effect with the next call of whoever has it.',
  }),
  remove: endpoint('role.remove', 'DELETE', '/:tier/roles/:roleId', {
    can: 'roles.write',
    summary: 'Removes a role that nobody has.',
  }),
  removeMany: endpoint('roles.remove', 'DELETE', '/:tier/roles', {
    can: 'roles.write',
    beyond: true,
    body: Ids,
    summary: 'Removes several roles that nobody has, all or none. Ids that do not exist are no error.',
  }),
}
