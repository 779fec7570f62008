/** The part of a document with a site's domains and their origins. */
import { balances } from '@breakwater/contract/domains/domains.ts'
import type { ArtefactDomain } from '@breakwater/contract/edge/artefact.ts'
import { z } from 'zod'
import type { Database } from '../db/database.ts'
import { anyOf, grouped } from '../publish/gather.ts'
import { isPreviewName, previewHost } from '../publish/host-names.ts'
import type { Gather, SitePart } from '../publish/part.ts'

const Upstream = z.object({
  id: z.number(),
  ip: z.string(),
  port: z.number(),
  weight: z.number(),
  backup: z.boolean(),
  enabled: z.boolean(),
  tls: z.boolean(),
  memo: z.string(),
})
const Domain = z.object({
  id: z.number(),
  name: z.string(),
  status: z.number(),
  scheme: z.number(),
  portMap: z.record(z.string(), z.number()),
  tags: z.array(z.string()),
  forceSsl: z.boolean(),
  autoSsl: z.boolean(),
  balance: z.number(),
  ownership: z.enum(['pending', 'proven', 'approved', 'preview']),
  proof: z.string(),
  upstreams: z.array(Upstream),
})
type SavedDomain = z.output<typeof Domain>
type SavedUpstream = z.output<typeof Upstream>

/** What a document contains of a domain. Results of DNS checks are not settings: they change without a revision. */
const savedColumns = [
  ...(['id', 'name', 'status', 'scheme', 'portMap', 'tags', 'forceSsl', 'autoSsl', 'balance'] as const),
  ...(['ownership', 'proof'] as const),
] as const

const gatherDomains: Gather = async (db, siteIds) => {
  const rows = await db
    .selectFrom('domains')
    .select(savedColumns)
    .select('siteId')
    .where('siteId', '=', anyOf(siteIds))
    .orderBy('id')
    .execute()
  const upstreams = rows.length === 0 ? new Map<number, SavedUpstream[]>() : await gatherUpstreams(db, rows)
  const bySite = grouped(rows, ({ siteId, ...row }) => [siteId, { ...row, upstreams: upstreams.get(row.id) ?? [] }])
  return new Map([...bySite].map(([site, domains]) => [site, { domains: { domains } }]))
}

async function gatherUpstreams(db: Database, domains: { id: number }[]): Promise<Map<number, SavedUpstream[]>> {
  const ids = domains.map(({ id }) => id)
  const rows = await db
    .selectFrom('upstreams')
    .select(['id', 'domainId', 'ip', 'port', 'weight', 'backup', 'enabled', 'tls', 'memo'])
    .where('domainId', '=', anyOf(ids))
    .orderBy('id')
    .execute()
  return grouped(rows, ({ domainId, ...upstream }) => [domainId, upstream])
}

export const domainsPart: SitePart<{ domains: SavedDomain[] }> = {
  owner: 'site',
  name: 'domains',
  schema: z.object({ domains: z.array(Domain) }),
  gather: gatherDomains,
  empty: { domains: [] },
  items: ({ domains }) => domains.map(({ proof: _, ...domain }) => [`domains/${domain.name}`, domain]),
  domainsOf: ({ domains }) => domains,

  async restore(db, site, { domains }) {
    const present = await db
      .selectFrom('domains')
      .select(['name', 'ownership', 'proof'])
      .where('siteId', '=', site.id)
      .execute()
    const known = new Map(present.map((row) => [row.name, row]))
    await db.deleteFrom('domains').where('siteId', '=', site.id).execute()
    for (const { upstreams, portMap, ...domain } of domains) {
      // The current ownership applies, whatever changed since; a name that had left the site must be proven again.
      const now = known.get(domain.name)
      const row = {
        ...domain,
        portMap: JSON.stringify(portMap),
        ownership: now?.ownership ?? ('pending' as const),
        proof: now?.proof ?? domain.proof,
      }
      await db
        .insertInto('domains')
        .values({ ...row, tenantId: site.tenantId, siteId: site.id })
        .execute()
      if (upstreams.length > 0)
        await db
          .insertInto('upstreams')
          .values(upstreams.map((upstream) => ({ ...upstream, tenantId: site.tenantId, domainId: domain.id })))
          .execute()
    }
  },

  requires: ({ domains }) => (domains.some(({ portMap }) => portsOf(portMap).ports) ? ['originPorts'] : []),

  /** Renders enabled domains with proven ownership, and the preview host, which stands for the first enabled domain. */
  render({ domains }, out) {
    const enabled = domains.filter((domain) => domain.status === 1)
    const served = enabled.filter(({ name, ownership }) => ownership !== 'pending' && !isPreviewName(name))
    out.domains.push(...served.map(artefactDomain))
    const first = enabled[0]
    if (!first) return
    const bare = first.name.replace(/^\*\./, '')
    out.domains.push({ ...artefactDomain(first), name: previewHost(out.site.label), originHost: bare })
  },
}

const balanceNames = Object.fromEntries(
  Object.entries(balances).map(([name, value]) => [value, name as keyof typeof balances]),
)

const artefactDomain = (domain: SavedDomain): ArtefactDomain => ({
  id: domain.id,
  name: domain.name,
  origins: domain.upstreams
    .filter((upstream) => upstream.enabled)
    .map(({ id, ip, port, weight, backup, tls }) => ({ id, host: ip, port, weight, backup, tls })),
  balance: balanceNames[domain.balance] ?? 'roundRobin',
  customHeaders: [],
  ...portsOf(domain.portMap),
})

/** The origin ports for requests over plain HTTP and over TLS. */
function portsOf(map: Record<string, number>): Pick<ArtefactDomain, 'ports'> {
  const [http, https] = [map['80'], map['443']]
  if (http === undefined && https === undefined) return {}
  return { ports: { ...(http !== undefined && { http }), ...(https !== undefined && { https }) } }
}
