/** Keys of the permission tree in bodies and answers. */
import { z } from 'zod'
import { wordOf } from './enumeration.ts'
import { permissions } from './permissions.ts'

export const PermissionName = wordOf('Permission', 'A key of the permission tree.', permissions)

/** Keys without repetition, in the order they were given. */
export const PermissionKeys = z
  .array(PermissionName)
  .max(permissions.length, 'itemsExceedLimit')
  .transform((keys) => [...new Set(keys)])
