/** The permissions of a console, and those that the caller has. */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'
import { pageOf } from '../paging.ts'
import { PermissionName } from '../permission-keys.ts'

export const permissionCalls = {
  keys: endpoint('auth.permissions.keys', 'GET', '/:tier/permissions', {
    tiers,
    can: 'signedIn',
    reply: pageOf(z.object({ key: PermissionName, name: z.string(), group: z.string() })),
    kind: 'list',
    summary: 'Lists every permission key of the console, with a sentence for whoever grants it.',
  }),
  own: endpoint('auth.permissions.own', 'GET', '/:tier/account/permissions', {
    tiers,
    can: 'signedIn',
    reply: pageOf(z.object({ key: PermissionName })),
    kind: 'list',
    summary: 'Lists the permission keys that the caller holds now.',
  }),
}
