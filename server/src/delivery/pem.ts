/** Certificates in PEM, as people paste them. */
import { X509Certificate } from 'node:crypto'
import { fieldFault } from '../http/fault.ts'

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g
/** A node reads no more. */
const certificatesMax = 50

/** The certificates of a text alone, whatever stands around them. Throws a Fault at the field where one cannot be read. */
export function pemCertificates(text: string, field: string): string[] {
  if (/PRIVATE KEY/.test(text)) throw fieldFault(field, 'keyInCertificate')
  const blocks = text.match(certificateBlock) ?? []
  if (blocks.length === 0 || blocks.length > certificatesMax) throw fieldFault(field, 'badCertificate')
  for (const block of blocks) {
    try {
      new X509Certificate(block)
    } catch {
      throw fieldFault(field, 'badCertificate')
    }
  }
  return blocks
}
