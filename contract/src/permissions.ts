/**
 * The permission tree: one key per area and verb (gaps S-10). A role is a set of keys; the root account of a tenant
 * has all keys of its tier. The tree's nesting is how the console groups them.
 */
export const permissionTree = {
  sites: ['sites.read', 'sites.create', 'sites.write', 'sites.remove'],
  domains: ['domains.read', 'domains.write'],
  cache: ['cache.read', 'cache.write', 'cache.purge'],
  firewall: ['firewall.read', 'firewall.write'],
  modules: ['modules.read', 'modules.write'],
  history: ['history.read', 'history.restore'],
  statistics: ['statistics.read'],
  logs: ['logs.read', 'logs.explain'],
  network: ['zones.read', 'zones.write', 'nodes.read', 'nodes.write', 'nodes.enrol'],
  system: ['health.read'],
} as const

export type Permission = (typeof permissionTree)[keyof typeof permissionTree][number]

export const permissions: readonly Permission[] = Object.values(permissionTree).flat()

/** Areas only an operator has. A user's root does not hold their keys. */
export const operatorOnly: readonly Permission[] = [...permissionTree.network, ...permissionTree.system]
