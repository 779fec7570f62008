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

/** Areas only an operator has. A user's root does not hold their keys. */
const operatorOnly: readonly Permission[] = [
  ...permissionTree.products,
  ...permissionTree.network,
  ...permissionTree.system,
  ...permissionTree.settings,
  ...permissionTree.brand,
  ...permissionTree.announcements,
  ...permissionTree.license,
]

/** Areas only the vendor has. */
const vendorOnly: readonly Permission[] = permissionTree.licenses

/** Areas of the vendor's console, which knows people, what they did and what they are licensed for, and no sites. */
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

/** The keys that exist in a console: what its root holds, and what a role there may name. */
export const permissionsOfTier = (tier: Tier): readonly Permission[] => ofTier[tier]

/** What a key allows, in a plain sentence for those who hand it out. */
export const permissionNames: Record<Permission, string> = {
  'sites.read': 'See sites and their settings',
  'sites.create': 'Make new sites',
  'sites.write': 'Change settings of sites, and who may see them',
  'sites.remove': 'Remove sites',
  'domains.read': 'See domains and origins',
  'domains.write': 'Add, change and remove domains and origins',
  'cache.read': 'See cache rules',
  'cache.write': 'Change cache rules',
  'cache.purge': 'Clear what is cached',
  'firewall.read': 'See firewall rules',
  'firewall.write': 'Change firewall rules',
  'modules.read': 'See modules',
  'modules.write': 'Change modules and bind them to domains',
  'history.read': 'See the history of a site',
  'history.restore': 'Bring back an earlier state of a site',
  'statistics.read': 'See statistics',
  'logs.read': 'See access logs',
  'logs.explain': 'Ask why a request was answered as it was',
  'accounts.read': 'See accounts',
  'accounts.write': 'Invite, change, lock and remove accounts, and act for them',
  'roles.read': 'See roles',
  'roles.write': 'Make, change and remove roles',
  'audit.read': 'See who did what',
  'apiTokens.read': 'See one’s API tokens',
  'apiTokens.write': 'Make and remove one’s API tokens',
  'products.read': 'See products',
  'products.write': 'Make, change and remove products',
  'zones.read': 'See zones and groups',
  'zones.write': 'Change zones and groups',
  'nodes.read': 'See nodes',
  'nodes.write': 'Change nodes',
  'nodes.enrol': 'Enrol new nodes',
  'health.read': 'See the health of the installation',
  'settings.read': 'See the settings of the installation',
  'settings.write': 'Change the settings of the installation: sign-in, mail, addresses',
  'brand.read': 'See the names, pictures and colours that the consoles wear',
  'brand.write': 'Change the names, pictures and colours that the consoles wear',
  'announcements.read': 'See announcements, also those that are not shown yet',
  'announcements.write': 'Write, change and remove announcements to all customers',
  'license.read': 'See the installed licence and what is used of it',
  'license.write': 'Install, check and take out the licence',
  'licenses.read': 'See the licences of operators',
  'licenses.write': 'Make, issue, revoke and remove licences',
}
