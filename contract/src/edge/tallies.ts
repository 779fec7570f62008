/**
 * What the nodes of a site count together. Once a second a node tells what came in that second, and is told what came to
 * the others: a rule's limit then holds over all of them, and an attack that is spread over them is seen by each. Nothing
 * of it is asked during a request. A node that cannot ask goes by its own numbers.
 *
 *   POST /tallies  NodeTallies → TalliesReply
 */
import { z } from 'zod'
import { attackReasons } from '../firewall/attack-reasons.ts'

/** Sites, and clients of rules, that a node tells of at once: those with the most of them. */
export const tallySitesMax = 1_000
export const tallyKeysMax = 2_000

const Site = z
  .number()
  .int()
  .positive()
  .max(2 ** 31 - 1)
const Count = z.number().min(0).max(1e9)

/** Requests of a site with automatic protection: all, those that an origin was asked for, and those of them that failed. */
export const SiteTally = z.object({
  site: Site,
  requests: Count,
  asked: Count,
  failures: Count,
})
export type SiteTally = z.output<typeof SiteTally>

/**
 * What one client took of a rule: base64 of `<site>:<rule>:<address>` as nginx keeps it. `seconds` is the length of a
 * window that counts requests; 0 for a bucket, of which `amount` is in seconds of its rate.
 */
export const KeyTally = z.object({
  key: z.string().regex(/^[A-Za-z0-9+/]{4,256}={0,2}$/),
  amount: z.number().positive().max(1e9),
  seconds: z.number().int().min(0).max(86_400),
})
export type KeyTally = z.output<typeof KeyTally>

/** A site that this node protects at present because of what came: requests a second then, and how many were too many. */
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
  /** All of them, each time: what is not named any more is over. */
  attacks: z.array(AttackState).max(tallySitesMax),
})
export type NodeTallies = z.output<typeof NodeTallies>

export const TalliesReply = z.object({
  /** Nodes of the zone, this one included: one alone need not tell of clients. */
  nodes: z.number().int().min(1),
  /** What the others told since this node asked last. */
  sites: z.array(SiteTally),
  keys: z.array(KeyTally),
  /** Requests a second that are usual for sites at this hour: the 95th percentile of a week. */
  usual: z.array(z.object({ site: z.number().int(), rate: z.number().min(0) })),
})
export type TalliesReply = z.output<typeof TalliesReply>

/** What nginx is told each second over its socket, and answers. `attacks` is absent where the agent has just started, and takes over what nginx has. */
export type NginxTalliesQuestion = { attacks?: number[]; keys: KeyTally[] }
export const NginxTallies = z.object({
  sites: z.array(SiteTally.extend({ threshold: Count })).default([]),
  keys: z.array(KeyTally).default([]),
  attacks: z.array(z.number().int()).default([]),
})
export type NginxTallies = z.output<typeof NginxTallies>
