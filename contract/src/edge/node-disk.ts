/**
 * The two sides of a node, agent and nginx, share a folder and a unix socket. This is what each may rely on:
 *
 *   nginx.conf                rendered by the agent
 *   configuration.json        LiveConfiguration: what the operator set that nginx takes without a reload
 *   objects/<2>/<hash>        artefacts and parts, immutable; `<2>` are the hash's first two characters
 *   secrets/<site>.<ref>      raw values of secrets, readable by nginx’s workers only; site 0 holds the group’s own:
 *                             `0.groupKey@1`
 *   log/feed.log              lines of `<crc32 of the JSON, 8 hex digits> <FeedEntry as JSON>`; a later line of a site
 *                             replaces an earlier one; a line with a wrong checksum is skipped (a torn write)
 *   log/purges.log            lines of the same form holding PurgeRecord; `id` rises
 *   log/bans.log              lines of the same form holding BanRecord; a later line of a site and address
 *                             replaces an earlier one
 *   prefilters/<name>         a WAF rule set compiled on this node for the workers to search; named by its content
 *   reputation.bin            the reputation of addresses (`reputation.ts`); replaced whole
 *   spool/requests.log        RequestRow lines, written by nginx; reopened on USR1
 *   spool/bans.log            BegunBan lines, written by nginx as it bans
 *   spool/counters.log        CounterRow lines with what was added since the previous line, written by nginx every
 *                             second
 *   run/nginx.pid  run/control.sock  run/fetch.sock  run/relay.sock
 *
 * nginx itself reads objects, secrets and the logs when it starts, before it listens. Afterwards the agent sends it
 * changes over `run/control.sock` (HTTP, JSON), always after writing them to disk (and syncing).
 *
 *   POST /apply     ApplyRequest → ApplyReply      compiles and switches the site index; a site that does not compile
 *                                                  keeps its previous artefact
 *   POST /purge     { purges: PurgeRecord[] } → {}
 *   POST /bans      { bans: BanChange[] } → {}
 *   POST /bots      { verdicts: BotVerdict[], most } → { claimed: ClaimedBot[] } (`verified-bots.ts`)
 *   POST /reputation  { hash } → {}               the file has changed: each worker maps it again
 *   POST /tallies   NginxTalliesQuestion → NginxTallies   what was counted since the last call (`tallies.ts`)
 *   POST /sampling  { weight } → {}                one row in `weight` requests is logged from now on
 *   POST /explain   ExplainRequest → Explanation
 *   POST /rule-set  RuleSetQuestion → RuleSetAnswers   evaluates a WAF rule set in `objects` on requests
 *   POST /rule-set/hits  RuleSetQuestion → RuleSetHits   its rules that match requests, at a paranoia level
 *   POST /backtest  BacktestBatch → BacktestVerdicts (`backtest.ts`)
 *   POST /configuration  LiveConfiguration → {}
 *   GET  /state     → NginxState
 */
import { z } from 'zod'
import { Cidr } from '../firewall/edge-rule-fields.ts'
import { Hash } from '../hash.ts'
import { BanReport } from './bans.ts'
import { SimulatedRequest } from './explain.ts'
import { FeedEntry, Vitals } from './node-api.ts'
import { Heads, ListeningPort } from './node-configuration.ts'

/** The numbers that the control plane assigned to this node, to its zone and to its group. */
export const NodeIdentity = z.object({ node: z.number().int(), zone: z.number().int(), group: z.number().int() })
export type NodeIdentity = z.output<typeof NodeIdentity>

/**
 * `identity` is for workers that started before enrolment and do not have it from nginx.conf yet; older agents send
 * none.
 */
export const ApplyRequest = z.object({ entries: z.array(FeedEntry), identity: NodeIdentity.optional() })
export type ApplyRequest = z.output<typeof ApplyRequest>
export const ApplyReply = z.object({
  /** Absent if none was: Lua cannot tell an empty list from an empty object. */
  refused: z.array(z.object({ site: z.number().int(), revision: z.number().int(), reason: z.string() })).default([]),
})
export type ApplyReply = z.output<typeof ApplyReply>

/** One purge in force. `id` is the control plane's task id, which only rises. */
export const PurgeRecord = z.object({
  id: z.number().int(),
  site: z.number().int(),
  type: z.enum(['all', 'url', 'prefix', 'tag']),
  values: z.array(z.string()),
})
export type PurgeRecord = z.output<typeof PurgeRecord>

/** An address that is banned from a site until an epoch second of this machine; 0 lifts the ban. */
export const BanRecord = z.object({ site: z.number().int(), address: Cidr, until: z.number() })
export type BanRecord = z.output<typeof BanRecord>

/** nginx's report of a ban that it began: the address as logged, and what it blocked. */
export const BegunBan = BanReport.omit({ address: true }).extend({
  address: z.string().max(64),
  /** Epoch seconds of this machine. */
  at: z.number(),
})
export type BegunBan = z.output<typeof BegunBan>

/** Explains a request under an artefact in `objects`, whether or not a pointer refers to it. */
export const ExplainRequest = z.object({ artefact: Hash, request: SimulatedRequest })

/** Evaluates a part of kind `wafRules` in `objects` on requests, at a paranoia level. */
export const RuleSetQuestion = z.object({
  ruleSet: Hash,
  paranoia: z.number().int().min(1).max(4),
  requests: z.array(SimulatedRequest).min(1).max(500),
})
export type RuleSetQuestion = z.output<typeof RuleSetQuestion>

/** In the order of the requests; the rules as in log rows, with their scores. */
export const RuleSetAnswers = z.object({ answers: z.array(z.object({ score: z.number(), text: z.string() })) })

/**
 * In the order of the requests: the rules that matched, separated by spaces; `isCut`: time ran out before all were
 * evaluated.
 */
export const RuleSetHits = z.object({ answers: z.array(z.object({ rules: z.string(), isCut: z.boolean() })) })

export const NginxState = z.object({
  sites: z.number().int(),
  hosts: z.number().int(),
  /** The highest sequence applied. */
  sequence: z.number().int(),
  workers: z.array(z.number().int()),
  requests: z.number().int(),
  connections: z.number().int(),
  vitals: Vitals,
  /** Free bytes of each shared dictionary. */
  dictionaries: z.record(z.string(), z.number()),
  /** Sites whose artefact can no longer be read from disk; each is served from its previous one, if there is one. */
  broken: z.array(z.object({ site: z.number().int(), reason: z.string() })).default([]),
  /**
   * The prefilter of a WAF rule set that nginx is waiting for, if any; `isInstalled`: whether the library is installed.
   */
  prefilter: z.object({ isInstalled: z.boolean(), ruleSet: Hash.optional(), name: Hash.optional() }).optional(),
  /**
   * The zone's revision that all workers use completely, prefilters of its rule sets included; 0 while a worker has not
   * looked yet. Absent from older nginx.
   */
  configuration: z.number().int().optional(),
  /** Which nginx.conf it runs with: the marker in its text. Absent from a lab, and from older nginx. */
  conf: z.string().default(''),
})
export type NginxState = z.output<typeof NginxState>

/** What the agent renders nginx.conf from: facts of the node and the operator's zone, never a tenant's text. */
export const NodeSettings = z.object({
  nodeId: z.number().int(),
  zoneId: z.number().int(),
  groupId: z.number().int(),
  folder: z.string(),
  httpPort: z.number().int(),
  httpsPort: z.number().int(),
  workers: z.number().int(),
  /** The user of the workers if nginx starts as root. */
  user: z.string().optional(),
  /** A lab has no public listeners and only explains. */
  lab: z.boolean(),
  cacheBytes: z.number().int(),
  /** The release's countries and networks of addresses, for a lab too. */
  countriesFile: z.string().optional(),
  networksFile: z.string().optional(),
  /**
   * The authorities by which origins are verified: the machine's, and those that the operator set. Without it, no such
   * origin is trusted.
   */
  caFile: z.string().optional(),
  luaFolder: z.string(),
  modulesFolder: z.string(),
  /** Proxies in front of the zone whose PROXY protocol or X-Forwarded-For is trusted, as CIDRs. */
  trustedProxies: z.array(z.string()),
  /** What the operator set (`node-configuration.ts`); absent for the defaults. */
  http2: z.boolean().optional(),
  /** Only if nginx supports it. */
  http3: z.boolean().optional(),
  ports: z.array(ListeningPort).optional(),
  heads: Heads.optional(),
  /** Whether to listen on IPv6 too. */
  ipv6: z.boolean().optional(),
  /** Name servers to resolve the host names of origins; without any, those of /etc/resolv.conf. */
  resolvers: z.array(z.string()).optional(),
  /** Addresses of this machine's interfaces, and its public addresses: not allowed as origins. */
  ownAddresses: z.array(z.string()).optional(),
  /**
   * Ports that lead to this nginx on those addresses, allowed for no origin whatever the exceptions; by default the
   * listening ones.
   */
  ownPorts: z.array(z.number().int()).optional(),
})
export type NodeSettings = z.output<typeof NodeSettings>
