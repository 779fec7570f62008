/**
 * What the nodes of a site count together. Once a second, a node reports what it counted in that second and gets what
 * the others counted. A rule's limit then holds across all of them, and each sees an attack that is spread over them.
 * Nothing of it is queried during a request. A node that cannot reach the control plane goes by its own numbers.
 *
 *   POST /tallies  NodeTallies → TalliesReply
 */
import { z } from 'zod'
import { attackReasons } from '../firewall/attack-reasons.ts'

/** The most sites, and clients of rules, that a node reports at once: those with the highest counts. */
export const tallySitesMax = 1_000
export const tallyKeysMax = 2_000

const Site = z
  .number()
  .int()
  .positive()
  .max(2 ** 31 - 1)
const Count = z.number().min(0).max(1e9)

/** Requests of a site with automatic protection: all, those sent to an origin, and those of them that failed. */
export const SiteTally = z.object({
  site: Site,
  requests: Count,
  asked: Count,
  failures: Count,
})
export type SiteTally = z.output<typeof SiteTally>

/**
 * What one client consumed of a rule: base64 of `<site>:<rule>:<address>` as nginx keeps it. `seconds` is the length of
 * a window that counts requests; 0 for a bucket, whose `amount` is in seconds of its rate.
 */
export const KeyTally = z.object({
  key: z.string().regex(/^[A-Za-z0-9+/]{4,256}={0,2}$/),
  amount: z.number().positive().max(1e9),
  seconds: z.number().int().min(0).max(86_400),
})
export type KeyTally = z.output<typeof KeyTally>

/**
 * A site that this node currently protects because of its traffic: the requests per second at that time, and the limit
 * that they exceeded.
 */
export const AttackState = z.object({
  site: Site,
  reason: z.enum(attackReasons),
  rate: Count,
  limit: Count,
})
export type AttackState = z.output<typeof AttackState>

export const NodeTallies = z.object({
  sites: z.array(SiteTally).max(tallySitesMax),
  keys: z.array(KeyTally).max(tallyKeysMax),
  /** All of them, each time: one that is no longer listed is over. */
  attacks: z.array(AttackState).max(tallySitesMax),
})
export type NodeTallies = z.output<typeof NodeTallies>

export const TalliesReply = z.object({
  /**
   * Nodes that may serve the same sites, this one included: a single node only reports attacks, and asks now and then
   * for the rest.
   */
  nodes: z.number().int().min(1),
  /** What the others reported since this node last asked. */
  sites: z.array(SiteTally),
  keys: z.array(KeyTally),
  /** The usual requests per second of sites at this hour: the 95th percentile of a week. */
  usual: z.array(z.object({ site: z.number().int(), rate: z.number().min(0) })),
})
export type TalliesReply = z.output<typeof TalliesReply>

/**
 * What nginx gets each second over its socket, and its reply. `attacks` is absent if the agent has just started, and
 * takes over what nginx has.
 */
export type NginxTalliesQuestion = { attacks?: number[]; keys: KeyTally[] }
export const NginxTallies = z.object({
  sites: z.array(SiteTally.extend({ threshold: Count })).default([]),
  keys: z.array(KeyTally).default([]),
  attacks: z.array(z.number().int()).default([]),
})
export type NginxTallies = z.output<typeof NginxTallies>
