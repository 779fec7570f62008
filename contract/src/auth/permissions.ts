/** What may be allowed in a console, and what the caller is allowed (rules Q1). */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'
import { pageOf } from '../paging.ts'
import { permissions } from '../permissions.ts'

const Key = z.enum(permissions)

export const permissionCalls = {
  keys: endpoint('auth.permissions.keys', 'GET', '/:tier/permissions', {
    tiers,
    can: 'signedIn',
    reply: pageOf(z.object({ key: Key, name: z.string(), group: z.string() })),
    kind: 'list',
    summary: 'Every permission key of the console, with a sentence for those who hand it out.',
  }),
  own: endpoint('auth.permissions.own', 'GET', '/:tier/account/permissions', {
    tiers,
    can: 'signedIn',
    reply: pageOf(z.object({ key: Key })),
    kind: 'list',
    summary: 'The permission keys that the caller holds at the moment.',
  }),
}
