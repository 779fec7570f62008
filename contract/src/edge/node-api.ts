/**
 * What a node and the control plane say to each other, on NODE_PORT. Everything below `/enrol` needs the node's
 * certificate (mutual TLS); the node is the certificate's subject, never a field of a message. JSON, camelCase.
 *
 *   GET  /install    the installer, a shell script   Authorization: Bearer <one-time token>, which stays good
 *   GET  /bundle     the signed bundle of a node     the same
 *   POST /enrol      EnrolRequest → EnrolReply       one-time token instead of a certificate
 *   POST /renew      RenewRequest → RenewReply       counts from its first use; the one before it is over then
 *   GET  /stream     NDJSON of Wake                  wakes only, with a heartbeat every 15 s
 *   GET  /feed       ?epoch&after&schema&can&limit → FeedReply; `can` are the node's features, with commas
 *   POST /objects    ObjectsRequest → ObjectsReply   artefacts and parts by hash
 *   POST /secrets    SecretsRequest → SecretsReply   sealed to the node's own key
 *   GET  /tasks      ?after → TasksReply
 *   POST /tasks/receipts  TaskReceipts → {}
 *   GET  /bans       ?after&sites → BansReply      (`bans.ts`)
 *   POST /bans       BanReports → BanReceipt
 *   POST /tallies    NodeTallies → TalliesReply    (`tallies.ts`)
 *   POST /report     NodeReport → {}
 *   POST /events     an EventBatch's bytes, its identity in headers → EventReceipt
 *
 * Replies are sent as zstd to a node that accepts it. Errors have the catalogue's body. 403 also where the node asks for another group's sites, which is logged.
 */
import { z } from 'zod'
import { wordOf } from '../enumeration.ts'
import { Hash } from '../hash.ts'
import { HostPattern } from './host-name.ts'
import { SecretRef } from './secret-ref.ts'

const Base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/)

/** Public keys that sign feeds and tasks (Ed25519, raw 32 bytes). A new key is announced by a reply signed with an old one. */
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
  /** The node's clock, epoch ms: more than 30 s off is refused with 202006. */
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
  /** Where the control plane saw the node: its public address, where it stands behind address translation. */
  address: z.string().max(64).optional(),
  /** The public addresses that the operator set since, as the last report's answer had them. */
  publicAddresses: z.array(z.string().max(64)).max(100).optional(),
})
export type EnrolReply = z.output<typeof EnrolReply>

/** What a report is answered with: the public addresses that the operator set for the node. */
export const ReportReply = z.object({ publicAddresses: z.array(z.string().max(64)).max(100).optional() })
export type ReportReply = z.output<typeof ReportReply>

/** A new certificate for the node that asks, of the key in the request. */
export const RenewRequest = z.object({ csr: z.string().max(8192) })
export type RenewRequest = z.output<typeof RenewRequest>
export const RenewReply = z.object({ certificate: z.string(), authority: z.string() })
export type RenewReply = z.output<typeof RenewReply>

/** `rows`: somebody looks at what the node uploads. A node of before does not know it, and uploads every half second. */
export const Wake = z.object({ wake: z.enum(['feed', 'tasks', 'bans', 'rows', 'beat']) })
export type Wake = z.output<typeof Wake>

/** One step of a group's feed. A later entry of a site replaces an earlier one. */
export const FeedEntry = z.object({
  sequence: z.number().int().positive(),
  site: z.number().int(),
  revision: z.number().int(),
  /** Null is a tombstone: configuration, keys and cached objects of the site go. */
  artefact: Hash.nullable(),
  /** The hosts of the site, so that a node finds it without opening the artefact. May hold `*.` names. */
  hosts: z.array(HostPattern).max(10_000),
  /** Set, with `artefact` null, where the node lacks a feature that the artefact requires. Not a tombstone: the node keeps what it has and reports the reason. */
  ineligible: z.string().optional(),
})
export type FeedEntry = z.output<typeof FeedEntry>

/** A signature is over UTF-8 text: see `feedSignatureText` and `tasksSignatureText`. It covers the question too, so that a genuine later page cannot stand in for an earlier one. */
export const Signature = z.object({ keyId: z.string(), value: Base64 })
export type Signature = z.output<typeof Signature>

export const FeedReply = z.object({
  /** Changes when the control plane's database was restored: a node then compares, and never rolls back. */
  epoch: z.number().int(),
  /** The sequence after the last entry of this page. Ask again with it until it equals `desired`. */
  after: z.number().int(),
  /** How far this node shall go: the roll-out's desired sequence of its cohort. */
  desired: z.number().int(),
  /** JSON text of FeedEntry[], as it was signed. */
  entries: z.string(),
  signature: Signature,
  /** Other signing keys that are valid from now on, vouched for by this signature's key (part of the signed payload when present). */
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
/** The payload whose hash stands in that text: entries and keys. */
export function feedPayload(reply: Pick<FeedReply, 'entries' | 'signingKeys'>): string {
  return `${reply.entries}\n${JSON.stringify(reply.signingKeys.map(({ id, publicKey }) => ({ id, publicKey })))}`
}

export const ObjectsRequest = z.object({ hashes: z.array(Hash).min(1).max(500), schema: z.number().int() })
/** Base64 of the bytes by hash. A hash that the node may not have, or that does not exist, is absent. */
/** Not checked as base64 here: bytes that are not what their hash says are one site's affair, not the whole answer's. */
export const ObjectsReply = z.object({ objects: z.record(z.string(), z.string()) })

/** Site 0 stands for the group: `groupKey@n`, the root of challenge cookies and references. */
export const SecretsRequest = z.object({
  secrets: z
    .array(z.object({ site: z.number().int(), ref: SecretRef }))
    .min(1)
    .max(500),
})
/** Each value: ephemeral X25519 public key (32 bytes), nonce (12), AES-256-GCM ciphertext and tag, in base64; the AES key is HKDF-SHA256 of the shared secret, salt = the ephemeral public key, then the node's, info `breakwater secret`; additional data = `site/ref`. */
export const SecretsReply = z.object({ secrets: z.record(z.string(), Base64) })

/** A purge on the edge. `generation` only rises; an object stored under an older generation is gone. */
export const PurgeTask = z.object({
  kind: z.literal('purge'),
  site: z.number().int(),
  type: z.enum(['all', 'url', 'prefix', 'tag']),
  /** Canonical `host/path?query` for url, `host/path` for prefix, a tag for tag; empty for all. The path percent-encoded, as in a URL: a node decodes it once. */
  values: z.array(z.string()),
})
/** One URL of a site that a node fetches through its own nginx. An agent that does not know it says so in its receipt. */
export const PreheatTask = z.object({
  kind: z.literal('preheat'),
  site: z.number().int(),
  /** Of one of the site’s hosts, with http or https. */
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

/** Upper bounds in ms of the steps in which a node counts how long its answers took; a last step has what took longer. */
export const latencySteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] as const

/** What a roll-out is judged by. Sums that only rise, until nginx is started anew. */
export const Vitals = z.object({
  requests: z.number().int(),
  /** Answers of 500 and above that were no refusal. */
  failures: z.number().int(),
  /** Phases of the request path that failed. */
  errors: z.number().int(),
  /** Worker processes that ended before they were told to. */
  crashes: z.number().int(),
  /** Requests by how long they took, in `latencySteps`. */
  latency: z.array(z.number().int()).length(latencySteps.length + 1),
  /** The sum of what they took. Absent, as the next, from nodes of before. */
  milliseconds: z.number().optional(),
  /** Requests that an origin answered, by how long it took. */
  origin: z
    .object({ counts: z.array(z.number().int()).length(latencySteps.length + 1), milliseconds: z.number() })
    .optional(),
})
export type Vitals = z.output<typeof Vitals>

export const originStatesMax = 1000

/**
 * What a node thinks of an origin: `up` passes its checks, `resting` failed requests and is passed over for a while,
 * `down` fails its checks.
 */
export const OriginState = z.object({
  id: z.number().int(),
  state: wordOf('OriginHealth', 'What a node makes of an origin', ['up', 'resting', 'down']),
  /** Why a check failed: as requests do (`origin-failures.ts`), or `status`. */
  reason: z.string().max(16),
  /** Epoch seconds; 0 where it is not known. */
  since: z.number(),
})
export type OriginState = z.output<typeof OriginState>

export const NodeHealth = z.object({
  version: z.string().max(32),
  nginxVersion: z.string().max(64),
  /** The OpenSSL that this node's nginx runs with. Absent from agents of before, as is `packages`. */
  opensslVersion: z.string().max(64).optional(),
  /** The Debian release by its code name, and the installed version of each package that security fixes are counted for. */
  packages: z
    .object({ release: z.string().max(32), versions: z.record(z.string().max(64), z.string().max(128)) })
    .optional(),
  schemas: z.array(z.number().int()),
  /** What this node's nginx can do (http3, brotli …), and the features of its agent (`features.ts`). */
  capabilities: z.array(z.string()),
  /** Addresses of the machine's interfaces, without loopback and link-local ones. Absent from agents of before. */
  addresses: z.array(z.string().max(64)).max(64).optional(),
  cpuCount: z.number().int(),
  load1: z.number(),
  /** Share of the time since the last report that the processors were busy, 0 to 1. */
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
  /** Epoch seconds: rows of requests up to then are uploaded. Absent until the first are, and from agents of before. */
  eventsUntil: z.number().optional(),
  /** Epoch seconds: exact counters up to then are shipped. Absent until the first are, and from agents of before. */
  countersUntil: z.number().optional(),
  /** What the kernel drops: addresses and networks that it holds, and packets since its table was made. Absent where it holds none. */
  kernelBans: z
    .object({ addresses: z.number().int(), networks: z.number().int(), packets: z.number().int() })
    .optional(),
  /** The revision of the zone that all workers have wholly at work, the prefilters of its rule sets too; 0 while nginx is away. Absent from agents of before. */
  configuration: z.number().int().optional(),
  /** Absent while nginx is away, and from agents of before. */
  vitals: Vitals.optional(),
  /** Origins that are passed over or checked, by their ids. Absent as the vitals are. */
  origins: z.array(OriginState).max(originStatesMax).optional(),
})
export type NodeHealth = z.output<typeof NodeHealth>

/** At most once a second, and at once after a change was enforced: one watermark plus its exceptions. */
export const NodeReport = z.object({
  epoch: z.number().int(),
  /** Every entry up to here is enforced by nginx, but for the exceptions. */
  watermark: z.number().int(),
  exceptions: z
    .array(z.object({ site: z.number().int(), revision: z.number().int(), reason: z.string().max(500) }))
    .max(1000),
  /** Why the node takes nothing of the feed at present (what it was told is not genuine, for example), or that its clock is wrong. */
  problem: z.string().max(500).optional(),
  health: NodeHealth.optional(),
})
export type NodeReport = z.output<typeof NodeReport>
