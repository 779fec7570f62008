/** Certificates of a site: upload, renewal, assignment to domains. Keys are write-only. */
import { certificates } from '@breakwater/contract/certificates/certificates.ts'
import type { Database } from '../db/database.ts'
import { Fault, Faults, fieldFault, gone } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import { anyOf } from '../publish/gather.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import { readSiteSecret } from '../secrets/store.ts'
import {
  type CertificateRow,
  domainsOf,
  findCertificate,
  insertCertificate,
  keyName,
  listCertificates,
  removeCertificates,
  replaceCertificate,
} from './certificates.store.ts'
import { covers } from './coverage.ts'
import { type ReadCertificate, readCertificate, readKey } from './read-certificate.ts'

export function certificatesFeature({ publisher, vault }: Services): Feature {
  /** Reads an update of a certificate: the certificate, its key, or both; they must match. */
  async function readUpdate(
    db: Database,
    site: LockedSite,
    row: CertificateRow,
    given: { certificate: string; privateKey: string },
  ): Promise<{ certificate: ReadCertificate; key: string | undefined } | undefined> {
    if (given.certificate === '' && given.privateKey === '') return undefined
    const stored =
      given.privateKey === '' ? await readSiteSecret(db, vault, site.id, keyName(row.id), row.keyVersion) : undefined
    const key = readKey(given.privateKey || (stored?.toString() ?? ''))
    const certificate = readCertificate(given.certificate || row.chain, key)
    return { certificate, key: given.privateKey === '' ? undefined : pemOf(key) }
  }

  return implement(certificates, {
    async list({ db, siteId, query: { name, ...page } }) {
      const site = await requireSite(db, siteId)
      const { rows, total } = await listCertificates(db, site.id, name, page)
      const domains = await domainsOf(
        db,
        site.id,
        rows.map(({ id }) => id),
      )
      return { data: rows.map((row) => present(row, domains.get(row.id))), total }
    },

    async meta({ db, siteId }) {
      const site = await requireSite(db, siteId)
      return db
        .selectFrom('certificates')
        .select(['id', 'name'])
        .where('siteId', '=', site.id)
        .orderBy('name')
        .limit(500)
        .execute()
    },

    async get({ db, siteId, id }) {
      const site = await requireSite(db, siteId)
      const row = await requireCertificate(db, site, id)
      const domains = await domainsOf(db, site.id, [id])
      return { ...present(row, domains.get(id)), certificate: row.chain }
    },

    async create(call) {
      const { name, certificate, privateKey } = call.body
      return changeSite(call, call.siteId, publisher, { summary: name }, async (db, site) => {
        const key = readKey(privateKey)
        const read = readCertificate(certificate, key)
        await requireOwnName(db, site, read)
        return { id: await insertCertificate(db, vault, site, { ...read, name, source: 'upload' }, pemOf(key)) }
      })
    },

    async update(call) {
      const { id, name, ...given } = call.body
      await changeSite(call, call.siteId, publisher, { summary: name }, async (db, site) => {
        const row = await requireCertificate(db, site, id)
        if (row.source !== 'upload') throw new Fault('parameterError', 'automatic certificate')
        const read = await readUpdate(db, site, row, given)
        if (read) {
          const bound = (await domainsOf(db, site.id, [id])).get(id) ?? []
          requireCovered(read.certificate.names, bound)
          if (bound.length === 0) await requireOwnName(db, site, read.certificate)
          else if (read.certificate.algorithm !== row.algorithm) throw fieldFault('certificate', 'otherKeyKind')
          await replaceCertificate(db, vault, site, id, read.certificate, read.key)
        }
        await db.updateTable('certificates').set({ name }).where('id', '=', id).execute()
      })
    },

    async remove(call) {
      await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
        if ((await domainsOf(db, site.id, call.body.ids)).size > 0)
          throw new Fault('parameterError', 'certificate in use')
        await removeCertificates(db, site, call.body.ids)
      })
    },

    async assign(call) {
      const { certificateID, domainIDs } = call.body
      await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
        const domains = await db
          .selectFrom('domains')
          .select(['id', 'name'])
          .where('siteId', '=', site.id)
          .where('id', '=', anyOf(domainIDs))
          .execute()
        if (domains.length !== new Set(domainIDs).size) throw gone()
        const ids = domains.map(({ id }) => id)
        if (certificateID === 0) {
          await db.deleteFrom('domainCertificates').where('domainId', '=', anyOf(ids)).execute()
          return
        }
        const { names, algorithm, source } = await requireCertificate(db, site, certificateID)
        if (source !== 'upload') throw new Fault('parameterError', 'automatic certificate')
        requireCovered(
          names,
          domains.map(({ name }) => name),
        )
        const row = { algorithm, certificateId: certificateID, tenantId: site.tenantId }
        await db
          .insertInto('domainCertificates')
          .values(ids.map((domainId) => ({ ...row, domainId })))
          .onConflict((on) => on.columns(['domainId', 'algorithm']).doUpdateSet({ certificateId: certificateID }))
          .execute()
      })
    },
  })
}

const pemOf = (key: ReturnType<typeof readKey>) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

async function requireCertificate(db: Database, site: LockedSite, id: number): Promise<CertificateRow> {
  const row = await findCertificate(db, site.id, id)
  if (!row) throw gone()
  return row
}

/** Somebody else's certificate is useless here, and was most likely meant for another site. */
async function requireOwnName(db: Database, site: LockedSite, { names }: ReadCertificate): Promise<void> {
  const domains = await db.selectFrom('domains').select('name').where('siteId', '=', site.id).execute()
  if (!domains.some(({ name }) => covers(names, name))) throw fieldFault('certificate', 'noOwnName')
}

/** Throws 101009 with the domains that the certificate does not cover. */
function requireCovered(names: string[], domains: string[]): void {
  const targets = domains.filter((domain) => !covers(names, domain))
  if (targets.length > 0) throw new Faults([{ reason: 'parameterError', targets }])
}

const present = (row: CertificateRow, domains: string[] = []) => ({
  id: row.id,
  name: row.name,
  domains,
  names: row.names,
  source: row.source,
  algorithm: row.algorithm,
  issuer: row.issuer,
  fingerprint: row.fingerprint,
  startTime: row.notBefore.toISOString(),
  expired: row.notAfter.toISOString(),
  createdAt: row.createdAt.toISOString(),
})
