/**
 * Zones and their groups, as the operator creates and changes them. A group is what serves sites: its nodes have one
 * feed.
 */
import { z } from 'zod'
import { BasedOn } from '../based-on.ts'
import { endpoint } from '../endpoint.ts'
import { numberOf } from '../enumeration.ts'
import { Id, Memo, Name, QuerySmall } from '../fields.ts'
import { pageOf } from '../paging.ts'

/** Layer 4 forwards connections, layer 7 handles HTTP. */
export const PortType = numberOf('PortType', 'What a node, group or product serves', { layer4: 4, layer7: 7 })

const NamedNode = z.object({ id: z.number().int(), name: z.string() })

export const ZoneGroup = z.object({
  id: z.number().int(),
  name: z.string(),
  portType: z.number().int(),
  isBackup: z.boolean(),
  label: z.string().describe('Its name in the edge’s DNS zone. Never issued twice.'),
  /** Without a DNS provider there is only the line `default`. */
  lines: z.array(
    z.object({ id: z.number().int(), name: z.string(), nodes: z.array(NamedNode), virtualNodes: z.array(NamedNode) }),
  ),
  active: z.boolean().describe('Whether a product uses it.'),
  products: z.array(z.string()),
  siteCount: z.number().int().describe('Sites that its nodes are told to serve.'),
})
export type ZoneGroup = z.output<typeof ZoneGroup>

const flag = z.stringbool()
const GroupBody = z.strictObject({ name: Name, portType: PortType.default(7), isBackup: z.boolean().default(false) })

export const zones = {
  create: endpoint('client.zone.create', 'POST', '/client/zone', {
    tiers: ['client'],
    can: 'zones.write',
    body: z.strictObject({ name: Name, memo: Memo.default('') }),
    reply: z.object({ id: z.number().int() }),
    summary: 'Creates a zone. Names are unique (201002); a licence may limit their number (201003).',
  }),
  update: endpoint('client.zone.update', 'PUT', '/client/zone', {
    tiers: ['client'],
    can: 'zones.write',
    body: z.strictObject({ id: Id, name: Name, memo: Memo.default(''), basedOn: BasedOn }),
    summary: 'Renames a zone.',
  }),
  remove: endpoint('client.zone.remove', 'DELETE', '/client/zone', {
    tiers: ['client'],
    can: 'zones.write',
    body: z.strictObject({ id: Id }),
    summary:
      'Removes a zone with its groups. Refused while it has nodes (201001) or a product uses one of its groups (203001).',
  }),
  groups: endpoint('client.zone.groups.list', 'GET', '/client/zone/:zoneId/groups', {
    tiers: ['client'],
    can: 'zones.read',
    reply: pageOf(ZoneGroup),
    kind: 'list',
    summary: 'Lists the groups of a zone with their nodes, unpaged.',
  }),
  metaGroups: endpoint('client.zone.groups.meta', 'GET', '/client/zone/:zoneId/metaGroups', {
    tiers: ['client'],
    can: 'zones.read',
    query: z.strictObject({ portType: QuerySmall.optional(), isBackup: flag.optional() }),
    reply: pageOf(NamedNode),
    kind: 'list',
    summary: 'Lists ids and names of a zone’s groups, unpaged.',
  }),
  createGroup: endpoint('client.zone.group.create', 'POST', '/client/zone/:zoneId/group', {
    tiers: ['client'],
    can: 'zones.write',
    body: GroupBody,
    reply: z.object({ id: z.number().int() }),
    summary: 'Creates a group in a zone.',
  }),
  updateGroup: endpoint('client.zone.group.update', 'PATCH', '/client/zone/:zoneId/group', {
    tiers: ['client'],
    can: 'zones.write',
    body: z.strictObject({
      id: Id,
      name: Name.optional(),
      portType: PortType.optional().describe('Does not change after the group was made (101023).'),
      isBackup: z.boolean().optional(),
      basedOn: BasedOn,
    }),
    summary:
      'Renames a group or turns it into a backup group, the latter only while no product uses it (203001, 203002).',
  }),
  removeGroup: endpoint('client.zone.group.remove', 'DELETE', '/client/zone/:zoneId/group', {
    tiers: ['client'],
    can: 'zones.write',
    body: z.strictObject({ id: Id }),
    summary:
      'Removes a group. Refused while a product uses it (203001), sites are on it (203002) or it has nodes (202003).',
  }),
}
