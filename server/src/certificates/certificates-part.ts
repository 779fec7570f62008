/** Certificates in a site's document, and what nodes get of them: per domain, uploaded ones before automatic ones. */
import { schemes } from '@breakwater/contract/domains/domains.ts'
import type { ArtefactDomain, CertificateRef } from '@breakwater/contract/edge/artefact.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../db/database.ts'
import { domainsPart } from '../domains/domains-part.ts'
import type { Bodies } from '../publish/document.ts'
import { anyOf, grouped } from '../publish/gather.ts'
import { isPreviewName } from '../publish/host-names.ts'
import { bodiesOf, bodyOf, type DomainPart, type Gather, type SitePart } from '../publish/part.ts'
import type { Rendering } from '../publish/rendering.ts'
import { keyName } from './certificates.store.ts'
import { covers } from './coverage.ts'

const Certificate = z.object({
  id: z.number(),
  name: z.string(),
  source: z.enum(['upload', 'automatic']),
  chain: z.string(),
  names: z.array(z.string()),
  algorithm: z.enum(['ecdsa', 'rsa']),
  issuer: z.string(),
  fingerprint: z.string(),
  /** ISO 8601. */
  notAfter: z.string(),
  keyVersion: z.number(),
})
type Certificate = z.output<typeof Certificate>

const gatherCertificates: Gather = async (db, siteIds) => {
  const rows = await db
    .selectFrom('certificates')
    .select(['siteId', 'id', 'name', 'source', 'chain', 'names', 'algorithm', 'issuer', 'fingerprint'])
    .select(['notAfter', 'keyVersion'])
    .where('siteId', '=', anyOf(siteIds))
    .orderBy('id')
    .execute()
  const bound = await db
    .selectFrom('domainCertificates')
    .innerJoin('domains', 'domains.id', 'domainCertificates.domainId')
    .select(['domains.siteId', 'domainCertificates.domainId', 'algorithm', 'certificateId'])
    .where('domains.siteId', '=', anyOf(siteIds))
    .orderBy('domainCertificates.domainId')
    .orderBy('algorithm')
    .execute()
  const ofSite = grouped(bound, ({ siteId, ...one }) => [siteId, one])
  const bySite = grouped(rows, ({ siteId, notAfter, ...row }) => [siteId, { ...row, notAfter: notAfter.toISOString() }])
  const thumbprints = await thumbprintsOf(db, siteIds)
  return new Map(
    siteIds.flatMap((site): [number, Bodies][] => {
      const [all, thumbprint] = [bySite.get(site) ?? [], thumbprints.get(site)]
      if (all.length === 0 && thumbprint === undefined) return []
      const bindings: Record<number, Record<string, number>> = {}
      for (const { domainId, algorithm, certificateId } of ofSite.get(site) ?? [])
        bindings[domainId] = { ...bindings[domainId], [algorithm]: certificateId }
      const certificates = Object.fromEntries(all.map((one) => [one.id, one]))
      const bodies: Bodies = { certificates, certificateBindings: bindings }
      if (thumbprint !== undefined) bodies.acme = { thumbprint }
      return [[site, bodies]]
    }),
  )
}

/** Thumbprints by site, for sites with a domain that has automatic certificates. */
async function thumbprintsOf(db: Database, siteIds: number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; thumbprint: string }>`
    select s.id, k.thumbprint from sites s join tenants t on t.id = s.tenant_id
    join acme_keys k on k.tenant_id = coalesce(t.operator_id, t.id)
    where s.id = any(${siteIds}::int[]) and exists (select from domains d where d.site_id = s.id and d.auto_ssl)`.execute(
    db,
  )
  return new Map(rows.map(({ id, thumbprint }) => [id, thumbprint]))
}

/** The thumbprint of the operator's ACME account key. It is not a setting, and not part of the history. */
export const acmePart: SitePart<{ thumbprint: string }> = {
  owner: 'site',
  name: 'acme',
  schema: z.object({ thumbprint: z.string() }),
  gather: gatherCertificates,
  empty: { thumbprint: '' },
  isShared: true,
  items: () => [],
  async restore() {},
  render({ thumbprint }, out) {
    if (thumbprint === '') return
    const { domains } = bodyOf(out.document, domainsPart)
    const automatic = new Set(domains.filter(({ autoSsl }) => autoSsl).map(({ name }) => name))
    for (const domain of out.domains) if (automatic.has(domain.name)) domain.acme = thumbprint
  },
}

/** Certificates by id. */
export const certificatesPart: SitePart<Record<string, Certificate>> = {
  owner: 'site',
  name: 'certificates',
  schema: z.record(z.string(), Certificate),
  gather: gatherCertificates,
  empty: {},
  isKeyed: true,
  isShared: true,
  items: (certificates) =>
    Object.values(certificates).map(({ id, name, source, names, issuer, fingerprint, notAfter }) => [
      `certificates/${id}`,
      { name, source, names, issuer, fingerprint, notAfter },
    ]),
  // A certificate is useless without its key, which is a secret: a restore leaves both as they are now.
  async restore() {},
  render: renderCertificates,
  requires: (certificates) => (Object.keys(certificates).length > 0 ? ['certificates'] : []),
}

/** The uploaded certificates that a domain serves, by kind of key. */
export const certificateBindingsPart: DomainPart<Record<string, number>> = {
  owner: 'domain',
  name: 'certificateBindings',
  schema: z.record(z.string(), z.number()),
  gather: gatherCertificates,
  items: (bound) => [['certificates', bound]],

  // The domains have just been rewritten. Certificates that were removed, or no longer cover the name, are not assigned
  // again.
  async restore(db, site, bodies) {
    const certificates = await db
      .selectFrom('certificates')
      .select(['id', 'names', 'algorithm'])
      .where('siteId', '=', site.id)
      .where('source', '=', 'upload')
      .execute()
    const domains = await db.selectFrom('domains').select(['id', 'name']).where('siteId', '=', site.id).execute()
    const rows = domains.flatMap(({ id: domainId, name }) =>
      Object.entries(bodies.get(domainId) ?? {}).flatMap(([algorithm, certificateId]) => {
        const now = certificates.find(({ id }) => id === certificateId)
        const fits = now !== undefined && now.algorithm === algorithm && covers(now.names, name)
        return fits ? [{ domainId, algorithm, certificateId, tenantId: site.tenantId }] : []
      }),
    )
    if (rows.length > 0) await db.insertInto('domainCertificates').values(rows).execute()
  },
}

function renderCertificates(certificates: Record<string, Certificate>, out: Rendering): void {
  const bindings = bodiesOf(out.document, certificateBindingsPart)
  const automatic = Object.values(certificates)
    .filter(({ source }) => source === 'automatic')
    .sort((one, other) => Date.parse(one.notAfter) - Date.parse(other.notAfter))
  const { domains } = bodyOf(out.document, domainsPart)
  const saved = new Map(domains.map((domain) => [domain.id, domain]))
  for (const domain of out.domains) {
    const { autoSsl = false, forceSsl = false, scheme = schemes.both } = saved.get(domain.id) ?? {}
    if (scheme === schemes.http) continue
    const uploaded = Object.values(bindings[domain.id] ?? {}).flatMap((id) => certificates[id] ?? [])
    // A wildcard's certificate covers its parent name, too: the one that lasts longest is served.
    const ordered = autoSsl ? automatic.filter(({ names }) => names.includes(domain.name)) : []
    // A preview host stands for a domain but has none of its names.
    const shown = [...uploaded.filter(({ names }) => covers(names, domain.name)), ...ordered.slice(-1)]
    if (shown.length > 0) domain.certificates = shown.map((one) => refOf(one, out))
    // Nobody is redirected to a handshake that fails; an HTTPS-only domain serves nothing until it has a certificate.
    const isForced = shown.length > 0 ? forceSsl || scheme === schemes.https : scheme === schemes.https
    if (isForced && !isPreviewName(domain.name)) {
      domain.forceSsl = true
      out.requires.add('forceSsl')
    }
  }
}

function refOf(certificate: Certificate, out: Rendering): NonNullable<ArtefactDomain['certificates']>[number] {
  const { id, chain, algorithm, source, notAfter, keyVersion } = certificate
  const ref: CertificateRef = {
    chain: out.keepShared(certificate, () => ({ kind: 'certificate', certificate: id, chain })),
    key: `${keyName(id)}@${keyVersion}`,
    algorithm,
    isAutomatic: source === 'automatic',
    notAfter: Math.floor(Date.parse(notAfter) / 1000),
  }
  return ref
}
