/** Explain: what each guard said about a request, in the order of battle, decided by the compiled Lua in nginx. */
import { z } from 'zod'

/** What a reference id carries, sealed by the node. `guard` and `rule` as in the log row. */
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

/** A request to be explained: simulated, nothing is sent to an origin and nothing is counted. */
export const SimulatedRequest = z.object({
  site: z.number().int(),
  host: z.string(),
  address: z.string(),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
  /** Epoch seconds; expiries and clocks read it. */
  time: z.number(),
  country: z.string(),
})
export type SimulatedRequest = z.output<typeof SimulatedRequest>

export const GuardStep = z.object({
  guard: z.string(),
  phase: z.enum(['line', 'headers', 'body', 'response']),
  outcome: z.enum(['passed', 'skipped', 'block', 'challenge', 'observe', 'allow']),
  rule: z.number().int(),
  cause: z.number().int(),
})
export type GuardStep = z.output<typeof GuardStep>

export const Explanation = z.object({
  steps: z.array(GuardStep),
  verdict: z.enum(['pass', 'block', 'challenge', 'drop']),
})
export type Explanation = z.output<typeof Explanation>
