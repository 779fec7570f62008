/** Preset roles. Each is only a suggestion: the role stores the keys as selected, not the preset. */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { type Permission, permissionsOfTier, permissionTree } from '@breakwater/contract/permissions.ts'

export const presetNames = ['reader', 'security', 'content', 'network', 'people', 'everything'] as const
export type PresetName = (typeof presetNames)[number]

const tree = permissionTree
const isRead = (key: Permission) => key.endsWith('.read')
const choose: Record<PresetName, (key: Permission) => boolean> = {
  reader: (key) => isRead(key) && !/^(accounts|roles|audit|apiTokens|license)/.test(key),
  security: (key) =>
    [...tree.firewall, ...tree.logs, ...tree.statistics, ...tree.history].some((one) => one === key) ||
    /^(sites|domains|cache|modules)\.read$/.test(key),
  content: (key) =>
    [...tree.cache, ...tree.modules, ...tree.statistics].some((one) => one === key) ||
    /^(sites|domains)\.read$/.test(key),
  network: (key) => [...tree.network, ...tree.system].some((one) => one === key) || key === 'sites.read',
  people: (key) => [...tree.accounts, ...tree.roles, ...tree.audit].some((one) => one === key),
  everything: () => true,
}

/** The presets of a console. `network` is left out where it would have no keys, or only `sites.read`. */
export function presetsOf(tier: Tier): { name: PresetName; keys: Permission[] }[] {
  const all = permissionsOfTier(tier)
  return presetNames
    .filter((name) => name !== 'network' || tier === 'client')
    .map((name) => ({ name, keys: all.filter(choose[name]) }))
}
