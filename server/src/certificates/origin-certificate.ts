/**
 * The certificate that nodes present to a site's origins. Its key is sealed, stored apart from the settings, and
 * write-only.
 */
import { X509Certificate } from 'node:crypto'
import { originCertificate } from '@breakwater/contract/delivery/origin-certificate.ts'
import { z } from 'zod'
import type { Database } from '../db/database.ts'
import { requireNoCalls } from '../delivery/grpc.ts'
import { fieldFault } from '../http/fault.ts'
import { removeSiteSecret, writeSiteSecret } from '../secrets/store.ts'
import { pemCertificates, pemText } from '../settings/pem.ts'
import { siteSettingsApart } from '../settings/site-settings.ts'
import { readKey } from './read-certificate.ts'

const secret = 'originCertificate'

const hasVersion = async (db: Database, siteId: number, version: number) =>
  (await db
    .selectFrom('secrets')
    .select('version')
    .where('siteId', '=', siteId)
    .where('name', '=', secret)
    .where('version', '=', version)
    .executeTakeFirst()) !== undefined

export const originCertificateSettings = siteSettingsApart(originCertificate, {
  saved: z.object({ chain: z.string(), version: z.number() }),
  none: { chain: '', version: 0 },

  async save({ vault }, db, site, { certificate, privateKey }) {
    await requireNoCalls(db, site.id, 'certificate')
    const chain = pemCertificates(certificate, 'certificate')
    const key = readKey(privateKey)
    if (!chain[0]!.certificate.checkPrivateKey(key)) throw fieldFault('privateKey', 'keyMismatch')
    const pem = key.export({ type: 'pkcs8', format: 'pem' })
    const version = await writeSiteSecret(db, vault, site, secret, Buffer.from(pem))
    return { chain: pemText(chain), version }
  },
  forget: (db, site) => removeSiteSecret(db, site, secret),

  show({ chain, version }) {
    if (version === 0) return originCertificate.defaults
    const { subject, validTo } = new X509Certificate(chain)
    return { isSet: true, subject: subject ?? '', expired: new Date(validTo).toISOString(), version }
  },

  /** A restore only brings back a certificate whose key is still stored. */
  revive: async (db, site, value) => ((await hasVersion(db, site.id, value.version)) ? value : undefined),

  render({ chain, version }, out) {
    if (version === 0) return
    out.set('settings', { originCertificate: chain })
    out.secrets.originCertificate = `${secret}@${version}`
  },
  requires: ({ version }) => (version === 0 ? [] : ['originTls']),
})
