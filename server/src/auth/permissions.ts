/** The permissions of a console, and those of the caller. */
import { permissionCalls } from '@breakwater/contract/auth/permissions.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { permissionNames } from '@breakwater/contract/permission-names.ts'
import { type Permission, permissionsOfTier, permissionTree } from '@breakwater/contract/permissions.ts'
import { type Feature, implement } from '../http/implement.ts'

const groupOf = new Map<string, string>(
  Object.entries(permissionTree).flatMap(([group, keys]) => keys.map((key) => [key, group] as const)),
)

/**
 * An account's permissions: a root account has all of its tier, others those granted to them that exist in the tier.
 */
export function permissionsOf(account: {
  tier: Tier
  isRoot: boolean
  permissions: readonly string[]
}): ReadonlySet<Permission> {
  const ofTier = permissionsOfTier(account.tier)
  return new Set(account.isRoot ? ofTier : ofTier.filter((key) => account.permissions.includes(key)))
}

export function permissionsFeature(): Feature {
  return implement(permissionCalls, {
    async keys({ tier }) {
      const data = permissionsOfTier(tier).map((key) => ({
        key,
        name: permissionNames[key],
        group: groupOf.get(key) ?? '',
      }))
      return { data, total: data.length }
    },
    async own({ caller }) {
      const data = [...caller.permissions].map((key) => ({ key }))
      return { data, total: data.length }
    },
  })
}
