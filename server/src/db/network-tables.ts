/** The rows of the operator's network: zones, groups, nodes, and their configuration. */
import type { AddressDataKind } from '@breakwater/contract/address-data/csv.ts'
import type { AttackState } from '@breakwater/contract/edge/tallies.ts'
import type { RuleSetSigner } from '@breakwater/contract/nodes/rule-set-publishers.ts'
import type { RuleSetLeftOut, RuleSetTrial } from '@breakwater/contract/nodes/rule-sets.ts'
import type { ColumnType, Generated } from 'kysely'
import type { Json, Moment, NullableMoment } from './columns.ts'
import type { Sample } from './rollout-tables.ts'

export type NetworkTables = {
  originEvents: {
    id: Generated<number>
    tenantId: number
    siteId: number
    domainId: number
    upstreamId: number
    origin: string
    node: string
    state: 'up' | 'resting' | 'down'
    reason: string
    createdAt: Moment
  }
  siteAttacks: {
    id: Generated<number>
    siteId: number
    tenantId: number
    nodeId: number
    node: string
    reason: AttackState['reason']
    rate: number
    threshold: number
    beganAt: Moment
    endedAt: NullableMoment
  }
  banNotes: {
    siteId: number
    address: string
    tenantId: number
    times: Generated<number>
    lastAt: Moment
  }
  zoneBans: {
    zoneId: number
    address: string
    tenantId: number
    sequence: Generated<number>
    until: Moment
    liftedAt: NullableMoment
    createdAt: Moment
    cause: string
    requestId: string
    node: string
    asked: Generated<string>
  }
  bans: {
    siteId: number
    address: string
    tenantId: number
    sequence: Generated<number>
    until: Moment
    liftedAt: NullableMoment
    createdAt: Moment
    guard: string
    rule: number
    cause: number
    requestId: string
    reference: string
    zoneId: number
    node: string
  }
  zones: {
    id: Generated<number>
    operatorId: number
    name: string
    memo: Generated<string>
    createdAt: Moment
    /** The revision of its settings; 0 if nothing was ever set. */
    revision: Generated<number>
  }
  zonePorts: { id: Generated<number>; tenantId: number; zoneId: number; port: number; tls: Generated<boolean> }
  coreRuleSet: {
    id: Generated<number>
    hash: Buffer
    /** `waf/installed-rule-set.ts` */
    bytes: Buffer
    offeredHash: Buffer | null
    offeredAt: NullableMoment
    takenAt: Moment
  }
  wafRuleSets: {
    id: Generated<number>
    operatorId: number
    name: string
    fileName: string
    hash: Buffer
    part: Buffer
    responsesHash: Buffer | null
    responses: Buffer | null
    texts: Json<{ id: number; name: string; category: string; description: string; level: number }[]>
    trial: Json<RuleSetTrial> | null
    /** By rule id. */
    hits: Json<{ own: Record<number, number>; default: Record<number, number> }> | null
    signer: Json<RuleSetSigner> | null
    leftOut: Json<RuleSetLeftOut[]>
    usesControls: Generated<boolean>
    isUpdate: Generated<boolean>
    actor: string
    createdAt: Moment
  }
  addressData: {
    id: Generated<number>
    operatorId: number
    kind: AddressDataKind
    source: string
    credit: string
    licence: string
    fileName: string
    builtAt: NullableMoment
    v4: number
    v6: number
    hash: Buffer
    bytes: Buffer
    names: Buffer | null
    actor: string
    createdAt: Moment
  }
  zoneRevisions: {
    tenantId: number
    zoneId: number
    revision: number
    body: Json<object>
    actor: string
    action: string
    createdAt: Moment
  }
  groups: {
    id: Generated<number>
    zoneId: number
    name: string
    portType: Generated<number>
    isBackup: Generated<boolean>
    label: string
  }
  nodes: {
    id: Generated<number>
    operatorId: number
    zoneId: number
    groupId: number | null
    name: string
    ip: Generated<string>
    publicAddresses: Generated<string[]>
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
    /** The last minutes, oldest first. */
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
  artefactRequires: { artefact: Buffer; feature: string }
  nodeExceptions: { nodeId: number; siteId: number; revision: number; reason: string }
  tasks: { id: Generated<number>; groupId: number; siteId: number; body: Json<object>; createdAt: Moment }
  taskReceipts: { taskId: number; nodeId: number; ok: boolean; detail: Generated<string>; at: Moment }
  eventBatches: { nodeId: number; boot: string; kind: string; sequence: number; rows: number; at: Moment }
}
