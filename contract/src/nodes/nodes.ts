/** Zones and nodes, as the operator sees them. */
import { z } from 'zod'
import { NodeHealth } from '../edge/node-api.ts'
import { endpoint } from '../endpoint.ts'
import { Memo, MomentText, Name } from '../fields.ts'
import { listOf, Paging, pageOf, sorted } from '../paging.ts'

/** disabled 0 · enabled 1 · offline 2, the last as reported (gaps B-33). */
export const nodeStatuses = { disabled: 0, enabled: 1, offline: 2 } as const
/** A node is offline when it has not reported for this long, in ms. */
export const offlineAfterMs = 15_000

export const Zone = z.object({
  id: z.number().int(),
  name: z.string(),
  memo: z.string(),
  nodeCount: z.number().int(),
  groupCount: z.number().int(),
  http2: z.boolean(),
  http3: z.boolean(),
  forceSSLRedirectCode: z.number().int(),
  invalidDomainLimitCount: z.number().int(),
  tlsLimitCount: z.number().int(),
  createdAt: MomentText,
})

export const ZoneNode = z.object({
  id: z.number().int(),
  name: z.string(),
  ip: z.string(),
  portType: z.number().int(),
  status: z.number().int(),
  version: z.string(),
  dnsStatus: z.number().int(),
  memo: z.string(),
  monitor: z.boolean(),
  lastSeen: MomentText.nullable(),
  group: z.string(),
  /** How far the node is, and how far it shall go. */
  watermark: z.number().int(),
  desired: z.number().int(),
  exceptions: z.array(
    z.object({ site: z.number().int(), siteName: z.string(), revision: z.number().int(), reason: z.string() }),
  ),
  /** Why the node takes nothing of its feed at present, else empty. */
  problem: z.string(),
  health: NodeHealth.nullable(),
})
export type ZoneNode = z.output<typeof ZoneNode>

const InitializedNode = z.object({
  id: z.number().int(),
  name: z.string(),
  zoneID: z.number().int(),
  portType: z.number().int(),
  subNodeType: z.number().int(),
  upgradeStatus: z.number().int(),
  dnsStatus: z.number().int(),
  version: z.string(),
  memo: z.string(),
  monitor: z.boolean(),
  status: z.number().int(),
  logRotateTime: z.string(),
  subs: z.array(z.unknown()),
})

export const nodes = {
  zones: endpoint('client.zones.list', 'GET', '/client/zones', {
    tiers: ['client'],
    can: 'zones.read',
    query: sorted('name', 'createdAt'),
    reply: pageOf(Zone),
    kind: 'list',
    summary: 'Lists the zones.',
  }),
  metaZones: endpoint('client.zones.meta', 'GET', '/client/metaZones', {
    tiers: ['client'],
    can: 'zones.read',
    reply: pageOf(z.object({ id: z.number().int(), name: z.string() })),
    kind: 'list',
    summary: 'Ids and names of all zones, unpaged.',
  }),
  zoneNodes: endpoint('client.zone.nodes.list', 'GET', '/client/zone/:zoneId/nodes', {
    tiers: ['client'],
    can: 'nodes.read',
    query: Paging,
    reply: pageOf(ZoneNode),
    kind: 'list',
    summary: 'Lists the nodes of a zone with their health and watermark.',
  }),
  metaNodes: endpoint('client.zone.nodes.meta', 'GET', '/client/zone/:zoneId/metaNodes', {
    tiers: ['client'],
    can: 'nodes.read',
    reply: pageOf(z.object({ id: z.number().int(), name: z.string() })),
    kind: 'list',
    summary: 'Ids and names of a zone’s nodes, unpaged.',
  }),
  updateNode: endpoint('client.zone.node.update', 'PATCH', '/client/zone/:zoneId/node', {
    tiers: ['client'],
    can: 'nodes.write',
    audit: 'client.zone.node.update',
    body: z.strictObject({ id: z.number().int().positive(), name: Name, memo: Memo.default('') }),
    summary: 'Renames a node.',
  }),
  removeNode: endpoint('client.zone.node.remove', 'DELETE', '/client/zone/:zoneId/node', {
    tiers: ['client'],
    can: 'nodes.write',
    audit: 'client.zone.node.remove',
    body: z.strictObject({ id: z.number().int().positive() }),
    summary: 'Removes a node and revokes its certificate: it is cut off at once.',
  }),
  system: endpoint('client.zone.node.system', 'GET', '/client/zone/:zoneId/node/:id/system', {
    tiers: ['client'],
    can: 'nodes.read',
    reply: z.object({
      cpu: z.number(),
      memory: z.number(),
      disk: z.number(),
      load: z.number(),
      network: z.object({ in: z.number(), out: z.number() }),
      uptime: z.number(),
    }),
    summary: 'A node’s load: shares of 0 to 1, network in bytes a second, uptime in seconds.',
  }),
  uninitialized: endpoint('client.nodes.list', 'GET', '/client/nodes', {
    tiers: ['client'],
    can: 'nodes.read',
    reply: pageOf(
      z.object({ id: z.number().int(), name: z.string(), ip: z.string(), version: z.string(), createdAt: MomentText }),
    ),
    kind: 'list',
    summary: 'Nodes that have enrolled and serve no group yet.',
  }),
  initialize: endpoint('client.nodes.initialize', 'POST', '/client/nodes/initialize', {
    tiers: ['client'],
    can: 'nodes.write',
    audit: 'client.nodes.initialize',
    body: z.strictObject({
      ids: z.array(z.number().int().positive()).min(1, 'required').max(100),
      zoneID: z.number().int().positive(),
      portType: z.literal([4, 7]).default(7),
    }),
    summary: 'Puts enrolled nodes to work in a zone.',
  }),
  initialized: endpoint('client.nodes.initialized', 'GET', '/client/nodes/initialized', {
    tiers: ['client'],
    can: 'nodes.read',
    query: Paging.extend({
      portType: z.coerce.number().int().optional(),
      zoneIDs: listOf(z.coerce.number().int()).optional(),
      value: z.string().max(256).optional(),
      upgradeStatuses: listOf(z.coerce.number().int()).optional(),
      subNodeType: z.coerce.number().int().optional(),
      dnsStatus: z.coerce.number().int().optional(),
      version: z.string().max(32).optional(),
    }),
    reply: pageOf(InitializedNode),
    kind: 'list',
    summary: 'Nodes at work.',
  }),
  createToken: endpoint('client.zone.enrolToken.create', 'POST', '/client/zone/:zoneId/enrolToken', {
    tiers: ['client'],
    can: 'nodes.enrol',
    audit: 'client.zone.enrolToken.create',
    body: z.strictObject({ name: Name.default('node') }),
    reply: z.object({
      token: z.string(),
      expiresAt: MomentText,
      server: z.string(),
      authority: z.string().describe('PEM'),
      command: z.string(),
    }),
    beyond: true,
    summary: 'A token that lets one machine join the zone, once, for 15 minutes.',
  }),
}
