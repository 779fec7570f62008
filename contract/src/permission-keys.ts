/** Permission keys in request bodies and replies. */
import { z } from 'zod'
import { wordOf } from './enumeration.ts'
import { permissions } from './permissions.ts'

export const PermissionName = wordOf('Permission', 'A key of the permission tree.', permissions)

/** Keys without duplicates, in the order in which they were given. */
export const PermissionKeys = z
  .array(PermissionName)
  .max(permissions.length, 'itemsExceedLimit')
  .transform((keys) => [...new Set(keys)])
