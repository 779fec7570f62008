/**
 * Ports on which the nodes of a zone listen in addition to those for http and https, and on which of them a site is
 * served.
 */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { numberOf } from '../enumeration.ts'
import { Id, Port } from '../fields.ts'
import { Ids, Paging, pageOf } from '../paging.ts'

/** The most ports of a zone. More would make every worker hold more sockets than it needs. */
export const zonePortsMax = 100

/** Ports of every node that cannot be zone ports: http, https, ssh, and those of the agents. */
export const reservedPorts: readonly number[] = [22, 80, 443, 8442, 9101]

/** Layer 4 comes with its own nodes: nothing would listen on such a port yet. */
const PortType = numberOf('ZonePortType', 'What a port of a zone is for', { layer7: 7 })

export const ZonePort = z.object({
  id: z.number().int(),
  port: z.number().int(),
  portType: PortType,
  tls: z.boolean().describe('Whether the port speaks TLS.'),
  sites: z.number().int().describe('Sites that answer on it.'),
})
export type ZonePort = z.output<typeof ZonePort>

export const ZonePortBody = z.strictObject({
  port: Port.refine((port) => !reservedPorts.includes(port), 'reservedPort'),
  portType: z.number().int('wrongFormat').default(7).describe('7 layer7.'),
  tls: z.boolean().default(false),
})

const place = '/client/zone/:zoneId/setting'

export const zonePorts = {
  list: endpoint('client.zone.setting.ports.list', 'GET', `${place}/ports`, {
    tiers: ['client'],
    can: 'zones.read',
    query: Paging,
    reply: pageOf(ZonePort),
    kind: 'list',
    summary: 'Lists the ports on which the nodes of a zone listen besides 80 and 443.',
  }),
  create: endpoint('client.zone.setting.ports.create', 'POST', `${place}/ports`, {
    tiers: ['client'],
    can: 'zones.write',
    body: ZonePortBody,
    reply: z.object({ id: z.number().int() }),
    summary: 'Adds a port. nginx reloads, node by node.',
  }),
  remove: endpoint('client.zone.setting.ports.remove', 'DELETE', `${place}/ports`, {
    tiers: ['client'],
    can: 'zones.write',
    body: Ids,
    summary: 'Removes ports; sites no longer answer there. nginx reloads, node by node.',
  }),
  update: endpoint('client.zone.setting.port.update', 'PUT', `${place}/port`, {
    tiers: ['client'],
    can: 'zones.write',
    body: ZonePortBody.extend({ id: Id }),
    summary: 'Updates a port. nginx reloads, node by node.',
  }),
}

/** The ports of a site: port numbers of its zone. */
const SitePortsBody = z.strictObject({
  ports: z
    .array(Port)
    .min(1, 'required')
    .max(zonePortsMax, 'itemsExceedLimit')
    .transform((ports) => [...new Set(ports)]),
})

export const sitePorts = {
  zonePorts: endpoint('site.zonePorts.list', 'GET', '/:tier/site/:siteId/zonePorts', {
    can: 'sites.read',
    query: Paging,
    reply: pageOf(
      z.object({
        port: z.number().int(),
        portType: z.number().int(),
        tls: z.boolean(),
        chosen: z.boolean().describe('Whether the site answers on it.'),
      }),
    ),
    kind: 'list',
    summary: 'Lists the ports that a site’s zone offers besides 80 and 443.',
  }),
  add: endpoint('site.setting.ports.add', 'POST', '/:tier/site/:siteId/setting/ports', {
    can: 'sites.write',
    body: SitePortsBody,
    summary: 'Adds ports of its zone to a site.',
  }),
  remove: endpoint('site.setting.ports.remove', 'DELETE', '/:tier/site/:siteId/setting/ports', {
    can: 'sites.write',
    body: SitePortsBody,
    summary: 'Removes ports of its zone from a site.',
  }),
}
