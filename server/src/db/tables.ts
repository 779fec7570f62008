/** The rows of the tables, as the code sees them (camelCase). Written by hand beside the migrations. */
import type { ColumnType, Generated } from 'kysely'
import type { AuthTables } from './auth-tables.ts'
import type { BrandTables } from './brand-tables.ts'
import type { Json, Moment, NullableMoment } from './columns.ts'
import type { LicenseTables } from './license-tables.ts'
import type { MessageTables } from './message-tables.ts'
import type { RolloutTables, Sample } from './rollout-tables.ts'

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
  }
  signInFailures: { key: string; failures: number; since: Moment; lockedUntil: NullableMoment }
  zones: { id: Generated<number>; operatorId: number; name: string; memo: Generated<string>; createdAt: Moment }
  groups: {
    id: Generated<number>
    zoneId: number
    name: string
    portType: Generated<number>
    isBackup: Generated<boolean>
    label: string
  }
  products: {
    id: Generated<number>
    operatorId: number
    name: string
    portType: Generated<number>
    isSelfService: Generated<boolean>
    limitations: Json<Limitations>
    createdAt: Moment
  }
  productGroups: { productId: number; groupId: number }
  nodes: {
    id: Generated<number>
    operatorId: number
    zoneId: number
    groupId: number | null
    name: string
    ip: Generated<string>
    memo: Generated<string>
    monitor: Generated<boolean>
    status: Generated<number>
    sealKey: Buffer
    certificateSerial: string
    nextSerial: string | null
    keyHash: Buffer | null
    version: Generated<string>
    schemas: Generated<number[]>
    epoch: Generated<number>
    watermark: Generated<number>
    lastSeenAt: NullableMoment
    awaySince: NullableMoment
    health: Json<object | null>
    createdAt: Moment
    revokedAt: NullableMoment
    /** Of the last minutes, the oldest first. */
    samples: ColumnType<Sample[], string | undefined, string>
    problem: Generated<string>
  }
  enrolTokens: {
    tokenHash: Buffer
    zoneId: number
    name: string
    expiresAt: Moment
    usedAt: NullableMoment
    nodeId: number | null
  }
  modules: {
    id: Generated<number>
    tenantId: number
    kind: string
    name: string
    memo: Generated<string>
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
    customHeaderModuleId: number | null
    createdAt: Moment
    updatedAt: Moment
  }
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
  }
  secrets: {
    id: Generated<number>
    tenantId: number | null
    siteId: number | null
    groupId: number | null
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
    /** Whom it concerns besides: set by a trigger. */
    customerId: Generated<number | null>
    operatorId: Generated<number | null>
    status: Generated<number>
    detail: Json<object | null>
    /** The chain: written by a trigger. */
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
  }
  savedViews: { accountId: number; list: string; tenantId: number; views: Json<object[]>; updatedAt: Moment }
  dashboards: { accountId: number; tenantId: number; widgets: Json<object[]>; updatedAt: Moment }
  objects: { hash: Buffer; bytes: Buffer; createdAt: Moment }
  feeds: { groupId: number; head: Generated<number>; desired: Generated<number> }
  feedEntries: {
    groupId: number
    siteId: number
    sequence: number
    revision: number
    artefact: Buffer | null
    hosts: string[]
  }
  artefactObjects: { artefact: Buffer; object: Buffer }
  artefactsBefore: { artefact: Buffer; before: Buffer | null; ineligible: string | null }
  nodeExceptions: { nodeId: number; siteId: number; revision: number; reason: string }
  tasks: { id: Generated<number>; groupId: number; siteId: number; body: Json<object>; createdAt: Moment }
  taskReceipts: { taskId: number; nodeId: number; ok: boolean; detail: Generated<string>; at: Moment }
  eventBatches: { nodeId: number; boot: string; kind: string; sequence: number; rows: number; at: Moment }
}

/** Every table. Areas with many keep a file of their own. */
export type Tables = CoreTables & AuthTables & BrandTables & LicenseTables & MessageTables & RolloutTables
