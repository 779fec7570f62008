/** All settings of a zone: the content of its revisions, and what is rendered for its nodes. */
import { type AddressDataKind, addressDataKinds } from '@breakwater/contract/address-data/csv.ts'
import type { EdgeFeature } from '@breakwater/contract/edge/features.ts'
import { defaultConfiguration, type NodeConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { parseBot, type VerifiedBot } from '@breakwater/contract/edge/verified-bots.ts'
import { offlineAfterMs } from '@breakwater/contract/nodes/nodes.ts'
import type { SavedObserved } from '@breakwater/contract/nodes/observed-rules.ts'
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
import { sql } from 'kysely'
import type { z } from 'zod'
import { addressDataName, readChosenData } from '../address-data/chosen.ts'
import type { Database } from '../db/database.ts'
import { canonicalJson } from '../publish/canonical.ts'

/**
 * The operator's address data in a zone's document: its source and its hash; a kind that uses the release's data is
 * absent.
 */
export type ChosenAddressData = Partial<Record<AddressDataKind, { id: number; source: string; hash: string }>>

export const chosenAddressData = ({ settings }: ZoneDocument): ChosenAddressData =>
  (settings[addressDataName] as ChosenAddressData | undefined) ?? {}

/** What was saved, by settings group; absent groups have their defaults. */
export type ZoneDocument = {
  settings: Record<string, object>
  ports: { port: number; tls: boolean }[]
  /** Settings groups of single nodes, by node id. */
  nodes: Record<string, Record<string, object>>
}

/** The chosen rule set in a zone's document: the name and the hash stay, even if the set is removed. */
export type ChosenRuleSet = {
  ruleSetId: number
  name: string
  hash: string
  responses: string | null
  usesControls?: true
}

export const chosenRuleSet = ({ settings }: ZoneDocument): ChosenRuleSet | undefined =>
  settings[zoneRuleSet.name] as ChosenRuleSet | undefined

/** The name under which a zone stores the rules of its rule set that only observe. */
export const observedName = 'wafObserved'

/** Empty if the zone chose no rule set. */
function observedOf(document: ZoneDocument): SavedObserved['rules'] {
  const saved = document.settings[observedName] as SavedObserved | undefined
  return chosenRuleSet(document) ? (saved?.rules ?? []) : []
}

/**
 * The same for the rule set in shadow, with the percentage of requests that it is evaluated on and the only node that
 * does so: 0 while the zone has no node; absent if all nodes do.
 */
export type ChosenShadow = ChosenRuleSet & { percent: number; node?: number }

export const chosenShadow = ({ settings }: ZoneDocument): ChosenShadow | undefined =>
  settings[zoneShadow.name] as ChosenShadow | undefined

export const emptyDocument: ZoneDocument = { settings: {}, ports: [], nodes: {} }

/** What is saved for a zone now. Runs as the system. */
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
  return placeShadow(db, zoneId, document)
}

/** Adds the node that evaluates a rule set in shadow, if only one does. */
async function placeShadow(db: Database, zoneId: number, document: ZoneDocument): Promise<ZoneDocument> {
  const shadow = document.settings[zoneShadow.name]
  if (shadow === undefined) return document
  const { nodes, ...chosen } = shadow as ChosenShadow & { nodes: 'one' | 'all' }
  const placed = nodes === 'one' ? { ...chosen, node: await nodeForShadow(db, zoneId) } : chosen
  return { ...document, settings: { ...document.settings, [zoneShadow.name]: placed } }
}

/** A node in use: preferably the one chosen last, if it still is. 0 if the zone has no node. */
async function nodeForShadow(db: Database, zoneId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select n.id from nodes n join zones z on z.id = n.zone_id
    left join zone_revisions r on r.zone_id = z.id and r.revision = z.revision
    where n.zone_id = ${zoneId}::int and n.group_id is not null and n.revoked_at is null and n.status = 1
    order by coalesce(n.last_seen_at > now() - ${offlineAfterMs}::int * interval '1 millisecond', false) desc,
      coalesce(n.id = (r.body->'settings'->${zoneShadow.name}->>'node')::int, false) desc, n.id
    limit 1`.execute(db)
  return rows[0]?.id ?? 0
}

/** A group that names a rule set, with its name and hash; undefined if it names none. */
async function readChosen(
  db: Database,
  group: typeof zoneRuleSet | typeof zoneShadow,
  saved: object | undefined,
): Promise<ChosenRuleSet | undefined> {
  const { ruleSetId, ...more } = saved === undefined ? group.defaults : group.schema.parse(saved)
  if (ruleSetId === 0) return undefined
  const { name, hash, responsesHash, usesControls } = await db
    .selectFrom('wafRuleSets')
    .select(['name', 'hash', 'responsesHash', 'usesControls'])
    .where('id', '=', ruleSetId)
    .executeTakeFirstOrThrow()
  return {
    ...{ ruleSetId, ...more, name, hash: hash.toString('hex'), responses: responsesHash?.toString('hex') ?? null },
    ...(usesControls && { usesControls }),
  }
}

/** The operator's choice with its details; undefined if all of it is the release's. */
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

/** The effective value of a group: what was saved, or its defaults. */
export function groupOf<Body extends z.ZodObject, Answer>(
  saved: Record<string, object>,
  group: SettingsGroup<'zone' | 'node', Body, Answer>,
): Answer {
  const value = saved[group.name]
  return value === undefined ? group.defaults : (group.schema.parse(value) as Answer)
}

/** The configuration for the nodes of a zone: a pure function of its document. */
export function renderConfiguration(zone: number, revision: number, document: ZoneDocument): NodeConfiguration {
  const { settings, ports, nodes } = document
  const { tlsLimitCount } = groupOf(settings, tlsLimitCountSettings)
  const { certificates } = groupOf(settings, originAuthorities)
  const ruleSet = chosenRuleSet(document)
  const shadow = chosenShadow(document)
  const observed = observedOf(document)
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
    ...(observed.length > 0 && { wafObserved: observed.map(({ ruleID }) => ruleID) }),
    ...(shadow && {
      wafShadow: {
        rules: shadow.hash,
        percent: shadow.percent,
        ...(shadow.node !== undefined && { node: shadow.node }),
      },
    }),
    ...((countries || networks) && {
      addressData: { ...(countries && { countries: countries.hash }), ...(networks && { networks: networks.hash }) },
    }),
    ...(botsOf(settings).length > 0 && { verifiedBots: botsOf(settings) }),
    nodes: Object.fromEntries(Object.entries(nodes).map(([id, saved]) => [id, groupOf(saved, nodeStorage)])),
  }
}

/** The effective firewall settings of the zone. */
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

/** Verified bots; empty if verification is off. */
function botsOf(settings: ZoneDocument['settings']): VerifiedBot[] {
  const { enable, bots } = groupOf(settings, verifiedBots)
  return enable ? bots.flatMap((line) => parseBot(line) ?? []) : []
}

const keepsOutOfKernel = (settings: ZoneDocument['settings']) => !groupOf(settings, kernelBans).enable

/** The features that a node needs to apply this document. */
export const requiredBy = ({ settings, ...document }: ZoneDocument): EdgeFeature[] => [
  'nodeConfiguration',
  ...(groupOf(settings, http3Settings).enable ? (['zoneHttp3'] as const) : []),
  ...(groupOf(settings, tlsLimitCountSettings).tlsLimitCount > 0 ? (['tlsLimit'] as const) : []),
  ...(Object.keys(firewallOf(settings)).length > 0 ? (['zoneFirewall'] as const) : []),
  ...(keepsOutOfKernel(settings) ? (['zoneBans'] as const) : []),
  ...(groupOf(settings, originAuthorities).certificates !== '' ? (['originAuthorities'] as const) : []),
  ...(chosenRuleSet({ settings, ...document }) ? (['zoneRuleSet', 'wafResponses'] as const) : []),
  ...(observedOf({ settings, ...document }).length > 0 ? (['wafObserved'] as const) : []),
  ...(observedOf({ settings, ...document }).some(({ isOfAnswers }) => isOfAnswers)
    ? (['wafObservedAnswers'] as const)
    : []),
  ...(chosenShadow({ settings, ...document }) ? (['wafShadow'] as const) : []),
  ...(chosenShadow({ settings, ...document })?.node !== undefined ? (['wafShadowNode'] as const) : []),
  ...([chosenRuleSet, chosenShadow].some((chosen) => chosen({ settings, ...document })?.usesControls)
    ? (['wafControls'] as const)
    : []),
  ...(settings[addressDataName] ? (['addressData'] as const) : []),
  ...(botsOf(settings).length > 0 ? (['verifiedBots'] as const) : []),
]

/** The differences between two documents, by readable paths: `http2`, `ports/8080`, `nodes/7/storage`. */
export function diffZones(
  before: ZoneDocument,
  after: ZoneDocument,
): { path: string; before: unknown; after: unknown }[] {
  const [old, now] = [itemsOf(before), itemsOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .sort()
    .filter((path) => sayOf(old.get(path)) !== sayOf(now.get(path)))
    .map((path) => ({ path, before: old.get(path) ?? null, after: now.get(path) ?? null }))
}

/** Independent of the order of fields: the database does not keep the order in which they were saved. */
const sayOf = (value: unknown): string => (value === undefined ? '' : canonicalJson(value))

function itemsOf({ settings, ports, nodes }: ZoneDocument): Map<string, unknown> {
  return new Map([
    ...Object.entries(settings),
    ...ports.map((port) => [`ports/${port.port}`, port] as const),
    ...Object.entries(nodes).flatMap(([id, groups]) =>
      Object.entries(groups).map(([name, value]) => [`nodes/${id}/${name}`, value] as const),
    ),
  ])
}
