/** Zones and nodes, as the operator sees them. */
import { z } from 'zod'
import { parseAddress } from '../addresses.ts'
import { BasedOn } from '../based-on.ts'
import { NodeHealth } from '../edge/node-api.ts'
import { endpoint } from '../endpoint.ts'
import { numberOf } from '../enumeration.ts'
import { Id, Memo, MomentText, Name, QueryId, QuerySmall } from '../fields.ts'
import { listOf, Paging, pageOf, sorted } from '../paging.ts'
import { PortType } from '../zones/zones.ts'

/** disabled 0 · enabled 1 · offline 2, the last as reported. */
export const nodeStatuses = { disabled: 0, enabled: 1, offline: 2 } as const
/** A node is offline when it has not reported for this long, in ms. */
export const offlineAfterMs = 15_000

/** Addresses at which visitors reach a node. */
export const PublicAddresses = z
  .array(z.string().max(64, 'wrongFormat'))
  .transform((lines) => [...new Set(lines.map((line) => line.trim()).filter((line) => line !== ''))])
  .pipe(z.array(z.string().refine((text) => parseAddress(text) !== undefined, 'wrongFormat')).max(8, 'wrongFormat'))

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
  publicAddresses: z.object({
    set: z.array(z.string()).describe('As the operator set them; empty while they are guessed.'),
    used: z.array(z.string()).describe('Where visitors reach the node: as set, else as guessed from its interfaces.'),
    private: z.boolean().describe('Whether none of them is an address of the public internet.'),
  }),
  portType: z.number().int(),
  status: z.number().int(),
  version: z.string(),
  dnsStatus: z.number().int(),
  memo: z.string(),
  monitor: z.boolean(),
  lastSeen: MomentText.nullable(),
  group: z.string(),
  /** How far the node is in its feed, and how far it should go. */
  watermark: z.number().int(),
  desired: z.number().int(),
  exceptions: z.array(
    z.object({ site: z.number().int(), siteName: z.string(), revision: z.number().int(), reason: z.string() }),
  ),
  /** Why the node takes nothing from its feed at present; else empty. */
  problem: z.string(),
  /** Packages of the node that are older than their security fixes, as Debian versions. */
  updatesDue: z.array(z.object({ package: z.string(), installed: z.string(), minimum: z.string() })),
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
    summary: 'Lists ids and names of all zones, unpaged.',
  }),
  zoneNodes: endpoint('client.zone.nodes.list', 'GET', '/client/zone/:zoneId/nodes', {
    tiers: ['client'],
    can: 'nodes.read',
    query: Paging.extend({
      value: z.string().max(256).optional().describe('Part of a name, an address or a note.'),
      portType: QuerySmall.optional().describe('Of the node’s group: 4 layer4, 7 layer7.'),
      version: z.string().max(32).optional(),
    }),
    reply: pageOf(ZoneNode),
    kind: 'list',
    summary: 'Lists the nodes of a zone with their health and watermark.',
  }),
  metaNodes: endpoint('client.zone.nodes.meta', 'GET', '/client/zone/:zoneId/metaNodes', {
    tiers: ['client'],
    can: 'nodes.read',
    reply: pageOf(z.object({ id: z.number().int(), name: z.string() })),
    kind: 'list',
    summary: 'Lists ids and names of a zone’s nodes, unpaged.',
  }),
  updateNode: endpoint('client.zone.node.update', 'PATCH', '/client/zone/:zoneId/node', {
    tiers: ['client'],
    can: 'nodes.write',
    body: z.strictObject({
      id: Id,
      name: Name,
      memo: Memo.default(''),
      publicAddresses: PublicAddresses.optional().describe('Empty: guessed. Absent: as they are.'),
      basedOn: BasedOn.describe(
        'Fields as they were read, `publicAddresses` as they were set. Where one of them holds another value by now, nothing is changed (409).',
      ),
    }),
    summary: 'Renames a node and sets the addresses at which visitors reach it.',
  }),
  setNodeStatus: endpoint('client.node.status', 'PATCH', '/client/node/status', {
    tiers: ['client'],
    can: 'nodes.write',
    body: z.strictObject({
      ids: z.array(Id).min(1, 'required').max(500),
      status: numberOf('NodeSwitch', 'Whether a node is put to use', { disabled: 0, enabled: 1 }),
    }),
    summary: 'Enables (1) or disables (0) nodes, all or none. A disabled node is not advertised and can be removed.',
  }),
  removeNode: endpoint('client.zone.node.remove', 'DELETE', '/client/zone/:zoneId/node', {
    tiers: ['client'],
    can: 'nodes.write',
    body: z.strictObject({ id: Id }),
    summary:
      'Removes a node and revokes its certificate, which cuts it off at once. A node in a group must be disabled first (202003).',
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
    summary: 'Returns a node’s load: shares from 0 to 1, network in bytes a second, uptime in seconds.',
  }),
  uninitialized: endpoint('client.nodes.list', 'GET', '/client/nodes', {
    tiers: ['client'],
    can: 'nodes.read',
    reply: pageOf(
      z.object({ id: z.number().int(), name: z.string(), ip: z.string(), version: z.string(), createdAt: MomentText }),
    ),
    kind: 'list',
    summary: 'Lists nodes that have enrolled and do not serve a group yet.',
  }),
  initialize: endpoint('client.nodes.initialize', 'POST', '/client/nodes/initialize', {
    tiers: ['client'],
    can: 'nodes.write',
    body: z.strictObject({
      ids: z.array(Id).min(1, 'required').max(100),
      zoneID: Id,
      portType: PortType.default(7),
      groupID: Id.optional().describe('A group of the zone; absent for its first main group of the port type.'),
    }),
    summary: 'Adds enrolled nodes to a zone.',
  }),
  initialized: endpoint('client.nodes.initialized', 'GET', '/client/nodes/initialized', {
    tiers: ['client'],
    can: 'nodes.read',
    query: Paging.extend({
      portType: QuerySmall.optional(),
      zoneIDs: listOf(QueryId).optional(),
      value: z.string().max(256).optional(),
      upgradeStatuses: listOf(QuerySmall).optional(),
      subNodeType: QuerySmall.optional(),
      dnsStatus: QuerySmall.optional(),
      version: z.string().max(32).optional(),
    }),
    reply: pageOf(InitializedNode),
    kind: 'list',
    summary: 'Lists nodes in service.',
  }),
  createToken: endpoint('client.zone.enrolToken.create', 'POST', '/client/zone/:zoneId/enrolToken', {
    tiers: ['client'],
    can: 'nodes.enrol',
    body: z.strictObject({ name: Name.default('node') }),
    reply: z.object({
      token: z.string(),
      expiresAt: MomentText,
      server: z.string(),
      authority: z.string().describe('PEM'),
      command: z.string(),
    }),
    beyond: true,
    summary: 'Creates a token with which one machine can join the zone, once, within 15 minutes.',
  }),
}
