/**
 * The protocol between a node and the control plane, on NODE_PORT. Everything listed below `/enrol` requires the node's
 * certificate (mutual TLS); the certificate's subject identifies the node, never a field of a message. JSON, camelCase.
 *
 *   GET  /install    the installer, a shell script   Authorization: Bearer <one-time token>, which stays valid
 *   GET  /bundle     the signed bundle of a node     the same
 *   POST /enrol      EnrolRequest → EnrolReply       one-time token instead of a certificate
 *   POST /renew      RenewRequest → RenewReply       valid from its first use, which ends the previous certificate
 *   GET  /stream     NDJSON of Wake                  wakes only, with a heartbeat every 15 s
 *   GET  /feed       ?epoch&after&schema&can&limit → FeedReply; `can` lists the node's features, separated by commas
 *   POST /objects    ObjectsRequest → ObjectsReply   artefacts and parts by hash
 *   POST /secrets    SecretsRequest → SecretsReply   sealed to the node's own key
 *   GET  /tasks      ?after → TasksReply
 *   POST /tasks/receipts  TaskReceipts → {}
 *   GET  /bans       ?after&sites → BansReply      (`bans.ts`)
 *   POST /bans       BanReports → BanReceipt
 *   POST /tallies    NodeTallies → TalliesReply    (`tallies.ts`)
 *   POST /report     NodeReport → {}
 *   POST /events     the bytes of an EventBatch, its identity in headers → EventReceipt
 *
 * Replies are compressed with zstd if the node accepts it. Errors have the body of the catalogue. A node that asks for
 * another group's sites also gets 403, which is logged.
 */
import { z } from 'zod'
import { wordOf } from '../enumeration.ts'
import { Hash } from '../hash.ts'
import { HostPattern } from './host-name.ts'
import { SecretRef } from './secret-ref.ts'

const Base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/)

/**
 * Public keys that sign feeds and tasks (Ed25519, raw 32 bytes). A new key is announced in a reply signed with an old
 * one.
 */
export const SigningKey = z.object({ id: z.string(), publicKey: Base64 })
export type SigningKey = z.output<typeof SigningKey>

export const EnrolRequest = z.object({
  token: z.string().max(128),
  name: z.string().max(64),
  /** PEM of a PKCS#10 request for the node's TLS key (P-256), made on the node. */
  csr: z.string().max(8192),
  /** The node's X25519 public key, raw: secrets are sealed to it. */
  sealKey: Base64,
  version: z.string().max(32),
  schemas: z.array(z.number().int()).max(10),
  /** The node's clock, epoch ms: if it is off by more than 30 s, the request is rejected with 202006. */
  clock: z.number(),
})
export type EnrolRequest = z.output<typeof EnrolRequest>

export const EnrolReply = z.object({
  nodeId: z.number().int(),
  zoneId: z.number().int(),
  groupId: z.number().int(),
  certificate: z.string(),
  authority: z.string(),
  signingKeys: z.array(SigningKey),
  /** Where the control plane saw the node: its public address, if it is behind NAT. */
  address: z.string().max(64).optional(),
  /** The public addresses that the operator has set since, as in the reply to the last report. */
  publicAddresses: z.array(z.string().max(64)).max(100).optional(),
})
export type EnrolReply = z.output<typeof EnrolReply>

/** The reply to a report: the public addresses that the operator set for the node. */
export const ReportReply = z.object({ publicAddresses: z.array(z.string().max(64)).max(100).optional() })
export type ReportReply = z.output<typeof ReportReply>

/** A new certificate for the requesting node, for the key in the request. */
export const RenewRequest = z.object({ csr: z.string().max(8192) })
export type RenewRequest = z.output<typeof RenewRequest>
export const RenewReply = z.object({ certificate: z.string(), authority: z.string() })
export type RenewReply = z.output<typeof RenewReply>

/** `rows`: somebody is looking at what the node uploads. Older nodes do not know it, and upload every half second. */
export const Wake = z.object({ wake: z.enum(['feed', 'tasks', 'bans', 'rows', 'beat']) })
export type Wake = z.output<typeof Wake>

/** One step of a group's feed. A later entry of a site replaces an earlier one. */
export const FeedEntry = z.object({
  sequence: z.number().int().positive(),
  site: z.number().int(),
  revision: z.number().int(),
  /** Null is a tombstone: configuration, keys and cached objects of the site are deleted. */
  artefact: Hash.nullable(),
  /** The hosts of the site, so that a node finds it without opening the artefact. May contain `*.` names. */
  hosts: z.array(HostPattern).max(10_000),
  /**
   * Set, with `artefact` null, if the node lacks a feature that the artefact requires. Not a tombstone: the node keeps
   * what it has and reports the reason.
   */
  ineligible: z.string().optional(),
})
export type FeedEntry = z.output<typeof FeedEntry>

/**
 * A signature covers UTF-8 text: see `feedSignatureText` and `tasksSignatureText`. It covers the query too, so that a
 * genuine later page cannot stand in for an earlier one.
 */
export const Signature = z.object({ keyId: z.string(), value: Base64 })
export type Signature = z.output<typeof Signature>

export const FeedReply = z.object({
  /** Changes when the control plane's database is restored: a node then compares, and never rolls back. */
  epoch: z.number().int(),
  /** The sequence after the last entry of this page. Ask again with it until it equals `desired`. */
  after: z.number().int(),
  /** How far this node should go: the desired sequence of its cohort in the roll-out. */
  desired: z.number().int(),
  /** JSON text of FeedEntry[], as signed. */
  entries: z.string(),
  signature: Signature,
  /**
   * Further signing keys that are valid from now on, vouched for by this signature's key (part of the signed payload
   * when present).
   */
  signingKeys: z.array(SigningKey),
})
export type FeedReply = z.output<typeof FeedReply>

/** The text that the signature of a feed reply covers. `asked` is the sequence that the node asked after. */
export function feedSignatureText(
  nodeId: number,
  asked: number,
  reply: Pick<FeedReply, 'epoch' | 'after' | 'desired'>,
  payloadSha256: string,
): string {
  return ['feed', nodeId, asked, reply.epoch, reply.after, reply.desired, payloadSha256].join('\n')
}
/** The payload whose hash is in that text: entries and keys. */
export function feedPayload(reply: Pick<FeedReply, 'entries' | 'signingKeys'>): string {
  return `${reply.entries}\n${JSON.stringify(reply.signingKeys.map(({ id, publicKey }) => ({ id, publicKey })))}`
}

export const ObjectsRequest = z.object({ hashes: z.array(Hash).min(1).max(500), schema: z.number().int() })
/** Base64 of the bytes by hash. A hash that the node may not have, or that does not exist, is left out. */
/** Not validated as base64 here: bytes that do not match their hash affect one site, not the whole reply. */
export const ObjectsReply = z.object({ objects: z.record(z.string(), z.string()) })

/** Site 0 stands for the group: `groupKey@n`, the root of challenge cookies and references. */
export const SecretsRequest = z.object({
  secrets: z
    .array(z.object({ site: z.number().int(), ref: SecretRef }))
    .min(1)
    .max(500),
})
/**
 * Each value: ephemeral X25519 public key (32 bytes), nonce (12), AES-256-GCM ciphertext and tag, in base64; the AES
 * key is HKDF-SHA256 of the shared secret, salt = the ephemeral public key, then the node's, info `breakwater secret`;
 * additional data = `site/ref`.
 */
export const SecretsReply = z.object({ secrets: z.record(z.string(), Base64) })

/**
 * A purge on the edge. It raises a generation, which only rises; an object stored under an older generation is gone.
 */
export const PurgeTask = z.object({
  kind: z.literal('purge'),
  site: z.number().int(),
  type: z.enum(['all', 'url', 'prefix', 'tag']),
  /**
   * Canonical `host/path?query` for url, `host/path` for prefix, a tag for tag; empty for all. The path is
   * percent-encoded, as in a URL: a node decodes it once.
   */
  values: z.array(z.string()),
})
/**
 * One URL of a site that a node fetches through its own nginx. An agent that does not know this kind reports so in its
 * receipt.
 */
export const PreheatTask = z.object({
  kind: z.literal('preheat'),
  site: z.number().int(),
  /** On one of the site’s hosts, with http or https. */
  url: z.string().max(8192),
})
export const TaskBody = z.discriminatedUnion('kind', [PurgeTask, PreheatTask])
export type TaskBody = z.output<typeof TaskBody>
export const Task = z.object({ id: z.number().int(), body: TaskBody })
export type Task = z.output<typeof Task>
/** `tasks` is the JSON text of Task[]; the signature’s text is `tasksSignatureText`. */
export const TasksReply = z.object({ tasks: z.string(), last: z.number().int(), signature: Signature })
export function tasksSignatureText(nodeId: number, asked: number, last: number, sha256: string): string {
  return ['tasks', nodeId, asked, last, sha256].join('\n')
}
export const TaskReceipts = z.object({
  receipts: z
    .array(z.object({ id: z.number().int(), ok: z.boolean(), detail: z.string().max(1000) }))
    .min(1)
    .max(500),
})

/**
 * Upper bounds in ms of the buckets in which a node counts how long its responses took; a last bucket has those that
 * took longer.
 */
export const latencySteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] as const

/** What a roll-out is judged by. Sums that only rise, until nginx restarts. */
export const Vitals = z.object({
  requests: z.number().int(),
  /** Responses of 500 and above that were not refusals. */
  failures: z.number().int(),
  /** Request-path phases that failed. */
  errors: z.number().int(),
  /** Worker processes that ended without being told to. */
  crashes: z.number().int(),
  /** Requests by how long they took, in the buckets of `latencySteps`. */
  latency: z.array(z.number().int()).length(latencySteps.length + 1),
  /** The sum of these times. Absent, like the next field, from older nodes. */
  milliseconds: z.number().optional(),
  /** Requests that an origin answered, by how long it took. */
  origin: z
    .object({ counts: z.array(z.number().int()).length(latencySteps.length + 1), milliseconds: z.number() })
    .optional(),
})
export type Vitals = z.output<typeof Vitals>

export const originStatesMax = 1000

/**
 * A node's view of an origin: `up` passes its checks, `resting` failed requests and is skipped for a while, `down`
 * fails its checks.
 */
export const OriginState = z.object({
  id: z.number().int(),
  state: wordOf('OriginHealth', 'What a node makes of an origin', ['up', 'resting', 'down']),
  /** Why a check failed: as for requests (`origin-failures.ts`), or `status`. */
  reason: z.string().max(16),
  /** Epoch seconds; 0 if unknown. */
  since: z.number(),
})
export type OriginState = z.output<typeof OriginState>

export const NodeHealth = z.object({
  version: z.string().max(32),
  nginxVersion: z.string().max(64),
  /** The OpenSSL version that this node's nginx runs with. Absent from older agents, as is `packages`. */
  opensslVersion: z.string().max(64).optional(),
  /**
   * The code name of the Debian release, and the installed version of each package whose security fixes are counted.
   */
  packages: z
    .object({ release: z.string().max(32), versions: z.record(z.string().max(64), z.string().max(128)) })
    .optional(),
  schemas: z.array(z.number().int()),
  /** What this node's nginx supports (http3, brotli …), and the features of its agent (`features.ts`). */
  capabilities: z.array(z.string()),
  /** Addresses of the machine's interfaces, without loopback and link-local ones. Absent from older agents. */
  addresses: z.array(z.string().max(64)).max(64).optional(),
  cpuCount: z.number().int(),
  load1: z.number(),
  /** Share of the time since the last report in which the processors were busy, 0 to 1. */
  cpuBusy: z.number(),
  memoryBytes: z.number(),
  memoryUsedBytes: z.number(),
  diskBytes: z.number(),
  diskUsedBytes: z.number(),
  uptimeSeconds: z.number(),
  requestsPerSecond: z.number(),
  connections: z.number().int(),
  networkInBytesPerSecond: z.number(),
  networkOutBytesPerSecond: z.number(),
  /** Event rows dropped under pressure since the agent started, and bytes waiting in the spool. */
  droppedRows: z.number().int(),
  spoolBytes: z.number().int(),
  /** Epoch seconds: request rows up to then are uploaded. Absent until the first upload, and from older agents. */
  eventsUntil: z.number().optional(),
  /** Epoch seconds: exact counters up to then are shipped. Absent until the first are, and from older agents. */
  countersUntil: z.number().optional(),
  /**
   * What the kernel drops: the addresses and networks that it blocks, and packets dropped since its table was created.
   * Absent if it blocks none.
   */
  kernelBans: z
    .object({ addresses: z.number().int(), networks: z.number().int(), packets: z.number().int() })
    .optional(),
  /**
   * The zone's revision that all workers use completely, prefilters of its rule sets included; 0 while nginx is down.
   * Absent from older agents.
   */
  configuration: z.number().int().optional(),
  /** Absent while nginx is down, and from older agents. */
  vitals: Vitals.optional(),
  /** Origins that are skipped or health-checked, by id. Absent like `vitals`. */
  origins: z.array(OriginState).max(originStatesMax).optional(),
})
export type NodeHealth = z.output<typeof NodeHealth>

/** Sent at most once a second, and immediately after a change is enforced: one watermark plus its exceptions. */
export const NodeReport = z.object({
  epoch: z.number().int(),
  /** Every entry up to here is enforced by nginx, except for the exceptions. */
  watermark: z.number().int(),
  exceptions: z
    .array(z.object({ site: z.number().int(), revision: z.number().int(), reason: z.string().max(500) }))
    .max(1000),
  /**
   * Why the node takes nothing from the feed at present (a reply that is not genuine, for example), or that its clock
   * is wrong.
   */
  problem: z.string().max(500).optional(),
  health: NodeHealth.optional(),
})
export type NodeReport = z.output<typeof NodeReport>
