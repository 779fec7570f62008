/** The bandwidth limit of a response: the first one whose pattern matches the path. Pure. */
import type { BandwidthPart } from '@breakwater/contract/edge/site-parts.ts'
import { firstOf } from '../lib/first-of.ts'
import type { CompileTools, Regex, Tools } from '../lib/guard.ts'

export type BandwidthLimit = { id: number; regex: Regex; rate: number; afterSize: number }

export function compileBandwidth({ limits }: BandwidthPart, tools: CompileTools): BandwidthLimit[] | undefined {
  if (limits.length === 0) return undefined
  return ready(
    limits.map(({ id, urlRegex, rate, afterSize }) => ({ id, regex: tools.regex(urlRegex), rate, afterSize })),
  )
}

/** How many limits LuaJIT reliably compiles into one trace. */
const limitsInTrace = 4
type Matches = Pick<Tools, 'matches'>

function ask(this: void, limit: BandwidthLimit, path: string, tools: Matches): BandwidthLimit | undefined {
  return tools.matches(limit.regex, path) ? limit : undefined
}

const { first: firstLimit, ready } = firstOf<BandwidthLimit, string, Matches, BandwidthLimit>(limitsInTrace, ask)

export function limitFor(limits: readonly BandwidthLimit[], path: string, tools: Matches): BandwidthLimit | undefined {
  const limit = firstLimit(limits, path, tools)
  return limit
}
