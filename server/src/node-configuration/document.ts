/** Everything that is set of a zone: what its revisions keep, and what its nodes are told of it. */
import { type AddressDataKind, addressDataKinds } from '@breakwater/contract/address-data/csv.ts'
import type { EdgeFeature } from '@breakwater/contract/edge/features.ts'
import { defaultConfiguration, type NodeConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { parseBot, type VerifiedBot } from '@breakwater/contract/edge/verified-bots.ts'
import { originAuthorities } from '@breakwater/contract/nodes/origin-authorities.ts'
import { zoneRuleSet, zoneShadow } from '@breakwater/contract/nodes/rule-sets.ts'
import { verifiedBots } from '@breakwater/contract/nodes/zone-bots.ts'
import {
  invalidDomainLimitCountSettings,
  kernelBans,
  zoneAntiCC,
  zoneIpset,
} from '@breakwater/contract/nodes/zone-firewall.ts'
import {
  forceSSLRedirectCodeSettings,
  headLimits,
  http2Settings,
  http3Settings,
  nodeStorage,
  tlsLimitCountSettings,
  trustedProxies,
} from '@breakwater/contract/nodes/zone-settings.ts'
import type { SettingsGroup } from '@breakwater/contract/settings.ts'
import type { z } from 'zod'
import { addressDataName, readChosenData } from '../address-data/chosen.ts'
import type { Database } from '../db/database.ts'

/** What a zone's document says of its operator's address data: where it is from, and its hash; nothing of a kind that is the release's. */
export type ChosenAddressData = Partial<Record<AddressDataKind, { id: number; source: string; hash: string }>>

export const chosenAddressData = ({ settings }: ZoneDocument): ChosenAddressData =>
  (settings[addressDataName] as ChosenAddressData | undefined) ?? {}

/** What was saved, by groups of settings; what is not there has its defaults. */
export type ZoneDocument = {
  settings: Record<string, object>
  ports: { port: number; tls: boolean }[]
  /** Groups of settings of single nodes, by their ids. */
  nodes: Record<string, Record<string, object>>
}

/** What a zone's document says of the rule set that it chose: the name and the hash stay, whatever becomes of the set. */
export type ChosenRuleSet = { ruleSetId: number; name: string; hash: string; responses: string | null }

export const chosenRuleSet = ({ settings }: ZoneDocument): ChosenRuleSet | undefined =>
  settings[zoneRuleSet.name] as ChosenRuleSet | undefined

/** The same of the one in shadow, and how many of a hundred requests it is asked about. */
export type ChosenShadow = ChosenRuleSet & { percent: number }

export const chosenShadow = ({ settings }: ZoneDocument): ChosenShadow | undefined =>
  settings[zoneShadow.name] as ChosenShadow | undefined

export const emptyDocument: ZoneDocument = { settings: {}, ports: [], nodes: {} }

/** What is saved of a zone now. Runs as the system. */
export async function gatherZone(db: Database, zoneId: number): Promise<ZoneDocument> {
  const rows = await db
    .selectFrom('settings')
    .select(['owner', 'ownerId', 'name', 'value'])
    .where((on) =>
      on.or([
        on.and([on('owner', '=', 'zone'), on('ownerId', '=', zoneId)]),
        on.and([
          on('owner', '=', 'node'),
          on(
            'ownerId',
            'in',
            on.selectFrom('nodes').select('id').where('zoneId', '=', zoneId).where('revokedAt', 'is', null),
          ),
        ]),
      ]),
    )
    .orderBy('ownerId')
    .orderBy('name')
    .execute()
  const ports = await db
    .selectFrom('zonePorts')
    .select(['port', 'tls'])
    .where('zoneId', '=', zoneId)
    .orderBy('port')
    .execute()
  const document: ZoneDocument = { settings: {}, ports, nodes: {} }
  for (const { owner, ownerId, name, value } of rows) {
    if (owner === 'zone') document.settings[name] = value
    else document.nodes[ownerId] = { ...document.nodes[ownerId], [name]: value }
  }
  for (const group of [zoneRuleSet, zoneShadow]) {
    const chosen = await readChosen(db, group, document.settings[group.name])
    if (chosen) document.settings[group.name] = chosen
    else delete document.settings[group.name]
  }
  const addressData = await readAddressData(db, zoneId)
  if (addressData) document.settings[addressDataName] = addressData
  return document
}

/** A group that names a rule set, with its name and hash; nothing where it names none. */
async function readChosen(
  db: Database,
  group: typeof zoneRuleSet | typeof zoneShadow,
  saved: object | undefined,
): Promise<ChosenRuleSet | undefined> {
  const { ruleSetId, ...more } = saved === undefined ? group.defaults : group.schema.parse(saved)
  if (ruleSetId === 0) return undefined
  const { name, hash, responsesHash } = await db
    .selectFrom('wafRuleSets')
    .select(['name', 'hash', 'responsesHash'])
    .where('id', '=', ruleSetId)
    .executeTakeFirstOrThrow()
  return { ruleSetId, ...more, name, hash: hash.toString('hex'), responses: responsesHash?.toString('hex') ?? null }
}

/** The operator's choice, with what it is; nothing where all of it is the release's. */
async function readAddressData(db: Database, zoneId: number): Promise<ChosenAddressData | undefined> {
  const { operatorId } = await db
    .selectFrom('zones')
    .select('operatorId')
    .where('id', '=', zoneId)
    .executeTakeFirstOrThrow()
  const chosen = await readChosenData(db, operatorId)
  const found: ChosenAddressData = {}
  for (const kind of addressDataKinds) {
    const { id } = chosen[kind]
    if (id === 0) continue
    const { source, hash } = await db
      .selectFrom('addressData')
      .select(['source', 'hash'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    found[kind] = { id, source, hash: hash.toString('hex') }
  }
  return Object.keys(found).length > 0 ? found : undefined
}

/** A group as it holds: what was saved, or its defaults. */
export function groupOf<Body extends z.ZodObject, Answer>(
  saved: Record<string, object>,
  group: SettingsGroup<'zone' | 'node', Body, Answer>,
): Answer {
  const value = saved[group.name]
  return value === undefined ? group.defaults : (group.schema.parse(value) as Answer)
}

/** What the nodes of a zone are told: a pure function of its document. */
export function renderConfiguration(zone: number, revision: number, document: ZoneDocument): NodeConfiguration {
  const { settings, ports, nodes } = document
  const { tlsLimitCount } = groupOf(settings, tlsLimitCountSettings)
  const { certificates } = groupOf(settings, originAuthorities)
  const ruleSet = chosenRuleSet(document)
  const shadow = chosenShadow(document)
  const { countries, networks } = chosenAddressData(document)
  return {
    ...defaultConfiguration,
    zone,
    revision,
    ports,
    http2: groupOf(settings, http2Settings).enable,
    ...(groupOf(settings, http3Settings).enable && { http3: true }),
    heads: groupOf(settings, headLimits),
    trustedProxies: groupOf(settings, trustedProxies).networks,
    forceSSLRedirectCode: groupOf(settings, forceSSLRedirectCodeSettings).forceSSLRedirectCode,
    ...(tlsLimitCount > 0 && { tlsLimitCount }),
    ...firewallOf(settings),
    ...(keepsOutOfKernel(settings) && { kernelBans: false as const }),
    ...(certificates !== '' && { originAuthorities: certificates }),
    ...(ruleSet && { wafRules: ruleSet.hash }),
    ...(ruleSet?.responses && { wafResponses: ruleSet.responses }),
    ...(shadow && { wafShadow: { rules: shadow.hash, percent: shadow.percent } }),
    ...((countries || networks) && {
      addressData: { ...(countries && { countries: countries.hash }), ...(networks && { networks: networks.hash }) },
    }),
    ...(botsOf(settings).length > 0 && { verifiedBots: botsOf(settings) }),
    nodes: Object.fromEntries(Object.entries(nodes).map(([id, saved]) => [id, groupOf(saved, nodeStorage)])),
  }
}

/** What of the zone's own firewall holds. */
function firewallOf(settings: ZoneDocument['settings']) {
  const { enable, ips } = groupOf(settings, zoneIpset)
  const { enable: isLimited, ...anticc } = groupOf(settings, zoneAntiCC)
  const { invalidDomainLimitCount } = groupOf(settings, invalidDomainLimitCountSettings)
  return {
    ...(enable && ips.length > 0 && { ipset: ips }),
    ...(isLimited && { anticc }),
    ...(invalidDomainLimitCount > 0 && { invalidDomainLimitCount }),
  }
}

/** Bots that are verified; none where that is off. */
function botsOf(settings: ZoneDocument['settings']): VerifiedBot[] {
  const { enable, bots } = groupOf(settings, verifiedBots)
  return enable ? bots.flatMap((line) => parseBot(line) ?? []) : []
}

const keepsOutOfKernel = (settings: ZoneDocument['settings']) => !groupOf(settings, kernelBans).enable

/** What a node must be able to take all of that. */
export const requiredBy = ({ settings, ...document }: ZoneDocument): EdgeFeature[] => [
  'nodeConfiguration',
  ...(groupOf(settings, http3Settings).enable ? (['zoneHttp3'] as const) : []),
  ...(groupOf(settings, tlsLimitCountSettings).tlsLimitCount > 0 ? (['tlsLimit'] as const) : []),
  ...(Object.keys(firewallOf(settings)).length > 0 ? (['zoneFirewall'] as const) : []),
  ...(keepsOutOfKernel(settings) ? (['zoneBans'] as const) : []),
  ...(groupOf(settings, originAuthorities).certificates !== '' ? (['originAuthorities'] as const) : []),
  ...(chosenRuleSet({ settings, ...document }) ? (['zoneRuleSet', 'wafResponses'] as const) : []),
  ...(chosenShadow({ settings, ...document }) ? (['wafShadow'] as const) : []),
  ...(settings[addressDataName] ? (['addressData'] as const) : []),
  ...(botsOf(settings).length > 0 ? (['verifiedBots'] as const) : []),
]

/** What differs between two documents, by paths that people read: `http2`, `ports/8080`, `nodes/7/storage`. */
export function diffZones(
  before: ZoneDocument,
  after: ZoneDocument,
): { path: string; before: unknown; after: unknown }[] {
  const [old, now] = [itemsOf(before), itemsOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .sort()
    .filter((path) => JSON.stringify(old.get(path)) !== JSON.stringify(now.get(path)))
    .map((path) => ({ path, before: old.get(path) ?? null, after: now.get(path) ?? null }))
}

function itemsOf({ settings, ports, nodes }: ZoneDocument): Map<string, unknown> {
  return new Map([
    ...Object.entries(settings),
    ...ports.map((port) => [`ports/${port.port}`, port] as const),
    ...Object.entries(nodes).flatMap(([id, groups]) =>
      Object.entries(groups).map(([name, value]) => [`nodes/${id}/${name}`, value] as const),
    ),
  ])
}
