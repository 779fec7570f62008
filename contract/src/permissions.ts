/**
 * The permission tree: one key per area and verb. A role is a set of keys; the root account of a tenant
 * has all keys of its tier. The tree's nesting is how the console groups them.
 */
import type { Tier } from './tiers.ts'

export const permissionTree = {
  sites: ['sites.read', 'sites.create', 'sites.write', 'sites.remove'],
  domains: ['domains.read', 'domains.write'],
  cache: ['cache.read', 'cache.write', 'cache.purge'],
  firewall: ['firewall.read', 'firewall.write'],
  modules: ['modules.read', 'modules.write'],
  history: ['history.read', 'history.restore'],
  statistics: ['statistics.read'],
  logs: ['logs.read', 'logs.explain'],
  accounts: ['accounts.read', 'accounts.write'],
  roles: ['roles.read', 'roles.write'],
  audit: ['audit.read'],
  apiTokens: ['apiTokens.read', 'apiTokens.write'],
  products: ['products.read', 'products.write'],
  network: ['zones.read', 'zones.write', 'nodes.read', 'nodes.write', 'nodes.enrol'],
  system: ['health.read'],
  settings: ['settings.read', 'settings.write'],
  brand: ['brand.read', 'brand.write'],
  announcements: ['announcements.read', 'announcements.write'],
  license: ['license.read', 'license.write'],
  licenses: ['licenses.read', 'licenses.write'],
} as const

export type Permission = (typeof permissionTree)[keyof typeof permissionTree][number]

export const permissions: readonly Permission[] = Object.values(permissionTree).flat()

/** Areas that only an operator has. A user's root account does not have their keys. */
const operatorOnly: readonly Permission[] = [
  ...permissionTree.products,
  ...permissionTree.network,
  ...permissionTree.system,
  ...permissionTree.settings,
  ...permissionTree.brand,
  ...permissionTree.announcements,
  ...permissionTree.license,
]

/** Areas that only the vendor has. */
const vendorOnly: readonly Permission[] = permissionTree.licenses

/**
 * Areas of the vendor's console, which deals with people, what they did and what they are licensed for, but not with
 * sites.
 */
const vendors: readonly Permission[] = [
  ...permissionTree.accounts,
  ...permissionTree.audit,
  ...permissionTree.settings,
  ...vendorOnly,
]

const ofTier: Record<Tier, readonly Permission[]> = {
  user: permissions.filter((key) => !operatorOnly.includes(key) && !vendorOnly.includes(key)),
  client: permissions.filter((key) => !vendorOnly.includes(key)),
  admin: vendors,
}

/** The keys that exist in a console: those that its root account has, and those that its roles may contain. */
export const permissionsOfTier = (tier: Tier): readonly Permission[] => ofTier[tier]
