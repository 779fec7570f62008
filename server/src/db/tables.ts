/** The rows of the tables, as the code sees them (camelCase). Maintained by hand to match the migrations. */
import type { JwtAlgorithm } from '@breakwater/contract/authentication/auth-groups.ts'
import type { RevisionChanges } from '@breakwater/contract/sites/history.ts'
import type { Generated } from 'kysely'
import type { AuthTables } from './auth-tables.ts'
import type { BrandTables } from './brand-tables.ts'
import type { CertificateTables } from './certificate-tables.ts'
import type { Json, Moment, NullableMoment } from './columns.ts'
import type { LicenseTables } from './license-tables.ts'
import type { MessageTables } from './message-tables.ts'
import type { NetworkTables } from './network-tables.ts'
import type { RolloutTables } from './rollout-tables.ts'

export type Limitations = { domains: number; ports: number; trafficBytes: number }

type CoreTables = {
  installation: { id: number; epoch: number; createdAt: Moment }
  tenants: {
    id: Generated<number>
    kind: 'vendor' | 'operator' | 'customer'
    operatorId: number | null
    name: string
    createdAt: Moment
  }
  accounts: {
    id: Generated<number>
    tenantId: number
    tier: 'user' | 'client' | 'admin'
    account: string
    email: Generated<string>
    name: Generated<string>
    parentId: number | null
    passwordHash: string | null
    allSites: Generated<boolean>
    isRoot: Generated<boolean>
    status: Generated<number>
    mustChangePassword: Generated<boolean>
    secondStep: Generated<number>
    permissions: Generated<string[]>
    maxLogExportTimes: Generated<number>
    endsAt: NullableMoment
    createdAt: Moment
  }
  logExports: {
    id: Generated<number>
    tenantId: number
    accountId: number
    startedAt: Moment
    endedAt: NullableMoment
  }
  accountZones: { accountId: number; zoneId: number }
  roles: {
    id: Generated<number>
    tenantId: number
    name: string
    permissions: string[]
    memo: Generated<string>
    createdBy: number | null
    createdAt: Moment
  }
  accountRoles: { tenantId: number; accountId: number; roleId: number }
  siteGrants: { tenantId: number; siteId: number; accountId: number }
  apiTokens: {
    id: Generated<number>
    tenantId: number
    accountId: number
    name: string
    memo: Generated<string>
    tokenHash: Buffer
    prefix: string
    permissions: string[] | null
    siteIds: number[] | null
    cidrs: Generated<string[]>
    expiresAt: NullableMoment
    lastUsedAt: NullableMoment
    createdAt: Moment
  }
  mailTokens: {
    tokenHash: Buffer
    accountId: number
    expiresAt: Moment
    usedAt: NullableMoment
    createdAt: Moment
  }
  sessions: {
    id: Generated<number>
    accountId: number
    createdAt: Moment
    lastSeenAt: Moment
    address: Generated<string>
    userAgent: Generated<string>
    endedAt: NullableMoment
    actorAccountId: number | null
    reason: Generated<string>
    expiresAt: NullableMoment
  }
  sessionTokens: {
    accessHash: Buffer
    refreshHash: Buffer
    sessionId: number
    accessExpiresAt: Moment
    refreshExpiresAt: Moment
    replacedAt: NullableMoment
    replacedFrom: Generated<string | null>
    nextSalt: Generated<Buffer | null>
  }
  signInFailures: { key: string; failures: number; since: Moment; lockedUntil: NullableMoment }
  products: {
    id: Generated<number>
    operatorId: number
    name: string
    portType: Generated<number>
    isSelfService: Generated<boolean>
    sitesMax: Generated<number>
    limitations: Json<Limitations>
    createdAt: Moment
  }
  productGroups: { productId: number; groupId: number }
  /** Saved groups of settings, except those of sites. */
  settings: {
    owner: string
    ownerId: number
    name: string
    tenantId: number
    value: Json<object>
    updatedAt: Moment
  }
  modules: {
    id: Generated<number>
    tenantId: number
    kind: string
    name: string
    memo: Generated<string>
    body: Generated<Record<string, unknown>>
    createdAt: Moment
    madeBy: Generated<number | null>
  }
  sites: {
    id: Generated<number>
    tenantId: number
    productId: number
    name: string
    label: string
    status: Generated<number>
    tags: Generated<string[]>
    limitations: Json<Limitations>
    settings: Json<Record<string, unknown>>
    expiredAt: NullableMoment
    forceBackup: Generated<boolean>
    /** Bytes sent to visitors this month, as of the last count; only for sites with a limit. */
    monthBytes: Generated<number>
    /** The last expiry warning sent: for which expiry date, and how many seconds before it. */
    warnedEnd: NullableMoment
    warnedSeconds: number | null
    revision: Generated<number>
    createdAt: Moment
    removedAt: NullableMoment
  }
  domains: {
    id: Generated<number>
    tenantId: number
    siteId: number
    name: string
    status: Generated<number>
    scheme: Generated<number>
    portMap: Json<Record<string, number>>
    tags: Generated<string[]>
    forceSsl: Generated<boolean>
    autoSsl: Generated<boolean>
    balance: Generated<number>
    ownership: Generated<'pending' | 'proven' | 'approved' | 'preview'>
    proof: string
    /** 0 unchecked, 1 points here, 2 points elsewhere, 3 does not resolve. */
    dnsState: Generated<number>
    dnsCheckedAt: NullableMoment
    createdAt: Moment
    updatedAt: Moment
  }
  domainModules: { domainId: number; kind: string; moduleId: number; tenantId: number }
  upstreams: {
    id: Generated<number>
    tenantId: number
    domainId: number
    ip: string
    port: number
    weight: Generated<number>
    backup: Generated<boolean>
    enabled: Generated<boolean>
    tls: Generated<boolean>
    memo: Generated<string>
  }
  rules: {
    id: Generated<number>
    tenantId: number
    siteId: number | null
    moduleId: number | null
    domainId: number | null
    authGroupId: Generated<number | null>
    kind: string
    sort: Generated<number>
    enabled: Generated<boolean>
    mode: Generated<'enforce' | 'observe'>
    body: Json<Record<string, unknown>>
    bodyVersion: Generated<number>
    uniqueKey: string | null
    memo: Generated<string>
    createdBy: Generated<string>
    expiresAt: NullableMoment
    createdAt: Moment
    updatedAt: Moment
    toldSince: Generated<Date>
  }
  authJwks: {
    groupId: number
    tenantId: number
    url: string
    issuer: string
    audience: string
    claims: Json<string[]>
    keys: Json<{ kid: string; algorithm: JwtAlgorithm; key: string }[]>
    triedAt: NullableMoment
    fetchedAt: NullableMoment
    problem: Generated<'' | 'unreachable' | 'notJwks' | 'noKeys'>
    dueAt: Moment
  }
  authGroups: {
    id: Generated<number>
    tenantId: number
    siteId: number
    type: string
    name: string
    memo: Generated<string>
    body: Json<Record<string, unknown>>
    secretVersion: Generated<number>
    hasImported: Generated<boolean>
    createdAt: Moment
    updatedAt: Moment
  }
  secrets: {
    id: Generated<number>
    tenantId: number | null
    siteId: number | null
    groupId: number | null
    moduleId: Generated<number | null>
    name: string
    version: number
    sealed: Buffer
    createdAt: Moment
  }
  audit: {
    id: Generated<number>
    at: Moment
    tenantId: number
    accountId: number | null
    accountName: string
    tier: 'user' | 'client' | 'admin'
    action: string
    method: string
    url: string
    requestId: string
    address: string
    siteId: number | null
    tokenName: string | null
    proxyName: string | null
    proxyAccountId: number | null
    subjectTenantId: number | null
    /** Whom else the entry concerns; set by a trigger. */
    customerId: Generated<number | null>
    operatorId: Generated<number | null>
    status: Generated<number>
    detail: Json<object | null>
    /** The hash chain; written by a trigger. */
    previous: Generated<Buffer>
    hash: Generated<Buffer>
  }
  parts: { hash: Buffer; body: Json<object>; createdAt: Moment }
  revisions: {
    tenantId: number
    siteId: number
    revision: number
    manifest: Json<object>
    actor: string
    action: string
    summary: Generated<string>
    createdAt: Moment
    /** Written as JSON text. */
    changes: Json<RevisionChanges | null>
  }
  idempotencyKeys: {
    accountId: number
    actor: string
    key: string
    tenantId: number
    callHash: Buffer
    result: Buffer | null
    createdAt: Moment
  }
  savedViews: { accountId: number; list: string; tenantId: number; views: Json<object[]>; updatedAt: Moment }
  dashboards: { accountId: number; tenantId: number; widgets: Json<object[]>; updatedAt: Moment }
}

/** Every table. Areas with many tables have a file of their own. */
export type Tables = CoreTables &
  AuthTables &
  BrandTables &
  CertificateTables &
  LicenseTables &
  MessageTables &
  NetworkTables &
  RolloutTables
