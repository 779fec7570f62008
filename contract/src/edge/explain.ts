/** Explain: what each guard decided about a request, in guard order, evaluated by the compiled Lua in nginx. */
import { z } from 'zod'
import { wordOf } from '../enumeration.ts'

/** What a reference id contains, sealed by the node. `guard` and `rule` as in the log row. */
export const Reference = z.object({
  node: z.number().int(),
  site: z.number().int(),
  revision: z.number().int(),
  guard: z.string(),
  rule: z.number().int(),
  cause: z.number().int(),
  /** Epoch seconds. */
  time: z.number().int(),
})
export type Reference = z.output<typeof Reference>

/** A request to explain. It is simulated: nothing is sent to an origin and nothing is counted. */
export const SimulatedRequest = z.object({
  site: z.number().int(),
  host: z.string(),
  address: z.string(),
  /** `http` or `https`; https if absent. */
  scheme: z.enum(['http', 'https']).optional(),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
  /** Epoch seconds; used for expiry times and clocks. */
  time: z.number(),
  /** The country of the address; absent to take it from the node's data. */
  country: z.string().optional(),
  /** The number of the network that the address was in; absent to take it from the node's data. */
  asn: z.number().int().optional(),
  /** The verified bot that sends it; absent for none. */
  bot: z.string().optional(),
  /** The reputation score of the address, 1 to 100; absent if it has none. */
  score: z.number().int().min(0).max(100).optional(),
  /**
   * Whether its address is banned from the site, whether the site is under attack, and whether its visitor has passed a
   * challenge.
   */
  isBanned: z.boolean().optional(),
  isUnderAttack: z.boolean().optional(),
  hasPassed: z.boolean().optional(),
  /** Whether it is a gRPC call. */
  isCall: z.boolean().optional(),
  /** What the zone's own firewall decided, as in the row; absent for nothing. Its settings are in no artefact. */
  zone: z
    .object({
      guard: z.enum(['ipset', 'bansOfZone', 'zoneAntiCC']),
      outcome: z.enum(['block', 'challenge']),
      cause: z.number().int(),
    })
    .optional(),
  /** Rebuilt from a log row: only some of its headers are known, and nothing of its body. */
  isLogged: z.boolean().optional(),
})
export type SimulatedRequest = z.output<typeof SimulatedRequest>

export const GuardStep = z.object({
  guard: z.string(),
  phase: wordOf('GuardPhase', 'How much of the request a guard needed.', ['line', 'headers', 'body', 'response']),
  outcome: wordOf('GuardOutcome', 'What a guard said.', [
    'passed',
    'skipped',
    'block',
    'challenge',
    'observe',
    'allow',
    'redirect',
    'answer',
    'rewrite',
  ]),
  rule: z.number().int(),
  cause: z.number().int(),
  waf: z
    .object({ score: z.number().int(), text: z.string() })
    .optional()
    .describe('What the rules of the WAF came to, and those that matched, as in the log row.'),
  bot: z.string().optional().describe('The verified bot that the guard would have challenged, were it none.'),
  detail: z
    .string()
    .optional()
    .describe(
      'What of the request the API shield means: a parameter (`query:limit`) or a place in the body (`body:/name`).',
    ),
})
export type GuardStep = z.output<typeof GuardStep>

export const Explanation = z.object({
  steps: z.array(GuardStep),
  verdict: wordOf('Verdict', 'What became of the request; drop closes the connection.', [
    'pass',
    'block',
    'challenge',
    'drop',
    'redirect',
    'answer',
  ]),
  bandwidthLimit: z.number().int().optional().describe('The bandwidth limit that its answer would be sent under.'),
  route: wordOf('OriginRoute', 'A route of its own to the origin: grpc streams over HTTP/2, past cache and rewrites.', [
    'grpc',
  ])
    .optional()
    .describe('Where it reaches the origin by a route of its own.'),
  originTarget: z.string().optional().describe('What a rewrite has the origin asked for.'),
  location: z.string().optional().describe('Where a redirect leads.'),
  visitor: z
    .object({ country: z.string(), asn: z.number().int() })
    .optional()
    .describe('What the data of the node says of the address, where the question left it to it.'),
})
export type Explanation = z.output<typeof Explanation>
