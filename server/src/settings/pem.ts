/** Certificates in PEM, as people paste them. */
import { X509Certificate } from 'node:crypto'
import { fieldFault } from '../http/fault.ts'

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g
/** A node reads no more than this. */
const certificatesMax = 50

/** A certificate, and its PEM. */
export type PemCertificate = { pem: string; certificate: X509Certificate }

/**
 * Extracts the certificates of a text, and ignores any text around them. Throws a Fault at the field if one cannot be
 * read.
 */
export function pemCertificates(text: string, field: string): PemCertificate[] {
  if (/PRIVATE KEY/.test(text)) throw fieldFault(field, 'keyInCertificate')
  const blocks = text.match(certificateBlock) ?? []
  if (blocks.length === 0 || blocks.length > certificatesMax) throw fieldFault(field, 'badCertificate')
  try {
    return blocks.map((pem) => ({ pem, certificate: new X509Certificate(pem) }))
  } catch {
    throw fieldFault(field, 'badCertificate')
  }
}

/** The same, but each must be a CA certificate. */
export function pemAuthorities(text: string, field: string): PemCertificate[] {
  const found = pemCertificates(text, field)
  if (found.some(({ certificate }) => !certificate.ca)) throw fieldFault(field, 'noAuthority')
  return found
}

/** Certificates as one text, each on its own lines. */
export const pemText = (certificates: readonly PemCertificate[]): string =>
  certificates.map(({ pem }) => `${pem}\n`).join('')
