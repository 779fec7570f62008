/**
 * Anti-referer rules of a domain as nodes get them. Separate from their calls, since the request path parses no domain
 * names.
 */
import { z } from 'zod'
import { edgeRule } from '../firewall/edge-rule-fields.ts'
import { HostPattern } from './host-name.ts'

export const EdgeAntiReferer = edgeRule({
  /** ASCII, lower case; may begin with `*.`. */
  referers: z.array(HostPattern).min(1).max(100),
  isBlack: z.boolean(),
  allowEmpty: z.boolean(),
})
export type EdgeAntiReferer = z.output<typeof EdgeAntiReferer>
