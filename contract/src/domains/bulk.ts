/** Many domains of a site in one call: all of them or none (101009 with a reason for each), and one revision. */
import { z } from 'zod'
import { DomainPattern } from '../domain-name.ts'
import { endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { Ids, MadeIds, pageOf } from '../paging.ts'
import { Tags } from '../sites/site-tags.ts'
import { Balance, DomainScheme, DomainStatus, PortMap, UpstreamInputs } from './domains.ts'
import { OriginHost } from './origin-host.ts'

/** The most names or ids per call. */
const itemsMax = 1000

/** Unpaged lists return at most this many entries, and say whether there are more. */
export const metaMax = 500

const of = '/:tier/site/:siteId'
const write = { can: 'domains.write' } as const

const Names = z.array(DomainPattern).min(1, 'required').max(itemsMax, 'itemsExceedLimit')
const ids = Ids.shape.ids
export const DomainTags = Tags(20)

/** Where a name’s DNS pointed when it was last checked. */
export const cnameStatuses = { unchecked: 0, pointing: 1, elsewhere: 2, absent: 3 } as const

const NamedDomain = z.object({ id: z.number().int(), name: z.string() })

export const bulkDomains = {
  createSimple: endpoint('site.domains.createSimple', 'POST', `${of}/simpleDomains`, {
    ...write,
    body: z.strictObject({ names: Names, upstreams: UpstreamInputs.optional(), tags: DomainTags.default([]) }),
    reply: MadeIds,
    summary: 'Adds domains by name with the same origins, or disabled until they have one.',
  }),
  createFrom: endpoint('site.domains.createFrom', 'POST', `${of}/domains/createFrom`, {
    ...write,
    body: z.strictObject({ domainID: Id, names: Names }),
    reply: MadeIds,
    summary: 'Adds domains with the origins, settings and modules of another domain of the site.',
  }),
  copyToSite: endpoint('site.domains.copyToSite', 'POST', `${of}/domains/copyToSite`, {
    ...write,
    body: z.strictObject({ ids, siteID: Id }),
    reply: MadeIds,
    summary: 'Copies domains to another site of the same customer, disabled at first (101011 if its ports differ).',
  }),
  removeByNames: endpoint('site.domains.removeByNames', 'DELETE', `${of}/domainsByNames`, {
    ...write,
    body: z.strictObject({ names: Names }),
    summary: 'Removes domains by their names. Names that do not exist are no error.',
  }),
  exportCsv: endpoint('site.domains.export', 'POST', `${of}/domains/export`, {
    can: 'domains.read',
    audit: true,
    body: z.strictObject({ ids: z.array(Id).max(10_000, 'itemsExceedLimit').describe('Empty for all.') }),
    kind: 'raw',
    summary: 'Exports domains as a CSV file that can be imported again, at most 10,000.',
  }),
  meta: endpoint('site.domains.meta', 'GET', `${of}/metaDomains`, {
    can: 'domains.read',
    query: z.strictObject({ keyword: z.string().max(256).optional() }),
    reply: pageOf(NamedDomain).extend({ isMore: z.boolean() }),
    kind: 'list',
    summary: 'Lists ids and names of a site’s domains, at most 500.',
  }),
  update: endpoint('site.domain.update', 'PUT', `${of}/domain`, {
    ...write,
    body: z.strictObject({
      id: Id,
      name: DomainPattern.optional().describe('Only while its owner is not proven.'),
      scheme: DomainScheme.optional(),
      portMap: PortMap.optional(),
      tags: DomainTags.optional(),
      status: DomainStatus.optional(),
    }),
    summary: 'Updates a domain. Fields that are left out stay as they are.',
  }),
  setStatus: endpoint('site.domain.setting.status', 'PUT', `${of}/domain/setting/status`, {
    ...write,
    body: z.strictObject({ ids, status: DomainStatus }),
    summary:
      'Enables or disables domains. One that another site serves (401001) or that has no origin (401008) stays disabled.',
  }),
  setTags: endpoint('site.domain.setting.tags', 'PUT', `${of}/domain/setting/tags`, {
    ...write,
    body: z.strictObject({ ids, tags: DomainTags }),
    summary: 'Replaces the tags of domains.',
  }),
  setBalance: endpoint('site.domain.setting.balance', 'PATCH', `${of}/domain/setting/balance`, {
    ...write,
    body: z.strictObject({ ids, balance: Balance }),
    summary: 'Sets how domains choose an origin for each request.',
  }),
  setUpstreams: endpoint('site.domains.setUpstreams', 'PUT', `${of}/domains/upstreams`, {
    ...write,
    body: z.strictObject({ ids, upstreams: UpstreamInputs }),
    summary: 'Replaces the origins of domains.',
  }),
  modifyUpstreamIPs: endpoint('site.domains.modifyUpstreamIPs', 'PUT', `${of}/domains/modifyUpstreamIPs`, {
    ...write,
    body: z.strictObject({
      ids,
      fromIP: z.string().trim().min(1, 'required').max(253, 'charactersExceedLimit'),
      toIP: OriginHost,
    }),
    reply: z.object({ changed: z.number().int().describe('Origins that have the new address.') }),
    summary: 'Replaces an origin address wherever these domains use it.',
  }),
}

export const domainChecks = {
  checkCNAME: endpoint('site.domains.checkCNAME', 'PUT', `${of}/domains/checkCNAME`, {
    ...write,
    body: z.strictObject({ ids: z.array(Id).min(1, 'required').max(100, 'itemsExceedLimit') }),
    reply: pageOf(
      z.object({ id: z.number().int(), cnameStatuses: z.array(z.number().int()), checkedAt: z.string().nullable() }),
    ),
    kind: 'list',
    summary: 'Looks up where the DNS of domains points. A pending domain whose CNAME points here becomes verified.',
  }),
}
