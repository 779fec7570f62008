/** The rows of certificates and their orders. */
import type { ColumnType, Generated } from 'kysely'
import type { Moment, NullableMoment } from './columns.ts'

export type CertificateTables = {
  certificates: {
    id: Generated<number>
    tenantId: number
    siteId: number
    name: string
    source: 'upload' | 'automatic'
    /** PEM, leaf first. */
    chain: string
    names: string[]
    algorithm: 'ecdsa' | 'rsa'
    issuer: string
    fingerprint: string
    notBefore: ColumnType<Date, Date, Date>
    notAfter: ColumnType<Date, Date, Date>
    keyVersion: number
    /** The last expiry warning sent: for which expiry date, and how many seconds before it. */
    warnedEnd: NullableMoment
    warnedSeconds: number | null
    createdAt: Moment
    updatedAt: Moment
  }
  /** Uploaded certificates by domain and kind of key. */
  domainCertificates: { domainId: number; algorithm: string; certificateId: number; tenantId: number }
  /** The key of an operator's accounts at certificate authorities. */
  acmeKeys: { tenantId: number; thumbprint: string; sealed: Buffer }
  acmeAccounts: { tenantId: number; directory: string; eabKeyId: string; url: string }
  certificateOrders: {
    domainId: number
    tenantId: number
    siteId: number
    state: Generated<'waiting' | 'issued' | 'failed'>
    attempts: Generated<number>
    nextAt: Moment
    renewAt: Moment
    certificateId: number | null
    directory: Generated<string>
    detail: Generated<string>
    updatedAt: Moment
  }
  acmeEvents: {
    id: Generated<number>
    tenantId: number
    directory: string
    kind: 'order' | 'failure'
    name: string
    registeredDomain: string
    at: Moment
  }
  /** Records in an operator's DNS until an order is done. */
  challengeRecords: { id: Generated<number>; tenantId: number; name: string; value: string; writtenAt: Moment }
  /** Records of sites in the operator's DNS. */
  dnsRecords: {
    id: Generated<number>
    tenantId: number
    siteId: number
    name: string
    type: 'A' | 'AAAA'
    addresses: string[]
    ttl: number
    state: Generated<'waiting' | 'written' | 'failed'>
    reason: Generated<string>
    nextAt: Moment
    createdAt: Moment
  }
  /** The certificate of the console's own URL; `sealed` is its key. */
  consoleCertificates: {
    name: string
    thumbprint: Generated<string>
    chain: Generated<string>
    sealed: Buffer | null
    notBefore: NullableMoment
    notAfter: NullableMoment
    attempts: Generated<number>
    detail: Generated<string>
    nextAt: Moment
    renewAt: Moment
  }
}
