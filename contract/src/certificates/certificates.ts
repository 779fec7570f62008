/** Certificates of a site: uploaded with their key, which is never returned, and assigned to domains. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Id, IdFilter, MomentText } from '../fields.ts'
import { Ids, pageOf, sorted } from '../paging.ts'

/** Letters, digits, dot, hyphen, underscore and asterisk; anything else is 301001. */
export const CertificateName = z
  .string('invalidCertificateName')
  .trim()
  .regex(/^[A-Za-z0-9.*_-]{1,256}$/, 'invalidCertificateName')

/** A chain and a key take a few KB; anything longer is something else. */
const pemCharsMax = 65_536
const Pem = z.string().trim().max(pemCharsMax, 'charactersExceedLimit')

export const CertificateInput = z.strictObject({
  name: CertificateName,
  certificate: Pem.min(1, 'required').describe('The certificate and its chain in PEM, in any order.'),
  privateKey: Pem.min(1, 'required').describe('The key in PEM, without a passphrase. It is never answered.'),
})

/** An absent or empty text leaves the certificate or key as it is. */
export const CertificateUpdate = z.strictObject({
  id: Id,
  name: CertificateName,
  certificate: Pem.default('').describe('Empty keeps the one there is.'),
  privateKey: Pem.default('').describe('Empty keeps the one there is, which must then fit a new certificate.'),
})

export const certificateSources = ['upload', 'automatic'] as const
export const certificateAlgorithms = ['ecdsa', 'rsa'] as const

/** The columns of a list. */
const CertificateRow = z.object({
  id: z.number().int(),
  name: z.string(),
  domains: z.array(z.string()).describe('The names of the domains that it is assigned to.'),
  names: z.array(z.string()).describe('The names that it covers.'),
  source: wordOf('CertificateSource', 'Whether somebody uploaded it or it was ordered by itself.', certificateSources),
  algorithm: wordOf('CertificateAlgorithm', 'The kind of its key.', certificateAlgorithms),
  issuer: z.string(),
  fingerprint: z.string().describe('SHA-256 of the certificate, in hexadecimal.'),
  startTime: MomentText,
  expired: MomentText.describe('When it ends.'),
  createdAt: MomentText,
})
export type CertificateRow = z.output<typeof CertificateRow>

const CertificateDetail = CertificateRow.extend({
  certificate: z.string().describe('The chain in PEM, the certificate first.'),
})

const of = '/:tier/site/:siteId'

export const certificates = {
  list: endpoint('site.certificates.list', 'GET', `${of}/certificates`, {
    can: 'domains.read',
    query: sorted('name', 'createdAt', 'expired').extend({ name: z.string().max(256).optional() }),
    reply: pageOf(CertificateRow),
    kind: 'list',
    summary: 'Lists the certificates of a site.',
  }),
  remove: endpoint('site.certificates.remove', 'DELETE', `${of}/certificates`, {
    can: 'domains.write',
    body: Ids,
    summary: 'Removes certificates that no domain uses.',
  }),
  meta: endpoint('site.certificates.meta', 'GET', `${of}/metaCertificates`, {
    can: 'domains.read',
    reply: z.array(z.object({ id: z.number().int(), name: z.string() })),
    summary: 'Lists the names of a site’s certificates, to choose one from.',
  }),
  get: endpoint('site.certificate.get', 'GET', `${of}/certificate/:id`, {
    can: 'domains.read',
    reply: CertificateDetail,
    summary: 'Returns a certificate with its chain, without its key.',
  }),
  create: endpoint('site.certificate.create', 'POST', `${of}/certificate`, {
    can: 'domains.write',
    body: CertificateInput,
    reply: z.object({ id: z.number().int() }),
    summary: 'Uploads a certificate with its key.',
  }),
  update: endpoint('site.certificate.update', 'PUT', `${of}/certificate`, {
    can: 'domains.write',
    body: CertificateUpdate,
    summary: 'Renames a certificate, or replaces it for all domains that use it.',
  }),
  assign: endpoint('site.certificate.domains', 'PATCH', `${of}/certificate/domains`, {
    can: 'domains.write',
    body: z.strictObject({
      certificateID: IdFilter.describe('0 takes the domains’ uploaded certificates away.'),
      domainIDs: z.array(Id).min(1, 'required').max(1000, 'itemsExceedLimit'),
    }),
    summary:
      'Assigns a certificate to domains, replacing one with the same type of key. All or none; 101009 gives the reason for each.',
  }),
}
