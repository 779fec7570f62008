/**
 * Inspects requests with WAF rule sets in a thread, in a Lua VM of its own that keeps the last rule sets it was asked
 * for. It reads them from the node's disk, where a worker has checked them before.
 */
import type { WafRulesPart } from '@breakwater/contract/edge/waf-rules.ts'
import { formDecoded } from '../bytes/url.ts'
import { inspect as inspectWith } from '../firewall/waf/inspect.ts'
import { compileRuleSet } from '../firewall/waf/rule-set.ts'
import type { CompiledRuleSet, RuleSetFiles } from '../firewall/waf/sieving.ts'
import type { Inspected, Inspecting, Sent, WafMatching } from '../lib/waf-tools.ts'
import { warmUp } from '../lib/warm-up.ts'
import { readFile } from '../nginx/files.ts'
import { hasHyperscan } from '../nginx/hyperscan.ts'
import { requireInjection } from '../nginx/injection.ts'
import { raise } from '../nginx/raise.ts'
import { mayBePast, threadTime } from '../nginx/thread-time.ts'
import { wafLibraries } from '../nginx/waf-libraries.ts'
import { loadImage } from '../sites/load-prefilter.ts'
import { groups, patternCompiler, search } from './patterns.ts'

/** A thread has no other requests to serve, so a turn is one slice. */
const tools: WafMatching = {
  ...wafLibraries,
  search,
  groups,
  beginTurn(seconds) {
    const began = threadTime()
    const until = began + seconds
    return { began, until, sliceEnd: until, slice: seconds, ofOthers: 0 }
  },
  isOver: ({ until }) => mayBePast(until) && threadTime() > until,
  takenIn: ({ began }) => threadTime() - began,
}

/** The rule sets of a zone, of its shadow and of a site that names another. */
const keptMax = 3
/** The latest last, by the path of their rules. */
const kept: { path: string; ruleSet: CompiledRuleSet }[] = []

function ruleSetOf({ rules: path, prefilter }: RuleSetFiles): CompiledRuleSet {
  for (const one of kept) if (one.path === path) return one.ruleSet
  requireInjection()
  const part = wafLibraries.decode(readFile(path) ?? raise(`no rule set: ${path}`)) as WafRulesPart
  const ruleSet: CompiledRuleSet = { rules: compileRuleSet(part, patternCompiler), prefilter: undefined, sievings: {} }
  if (prefilter !== undefined && hasHyperscan())
    ruleSet.prefilter = loadImage(readFile(prefilter) ?? raise(`no prefilter: ${prefilter}`))
  if (kept.length >= keptMax) kept.shift()
  kept.push({ path, ruleSet })
  return ruleSet
}

/** Loads a rule set, so that no request waits for it. Throws if it cannot be loaded. */
export function prepare(files: RuleSetFiles): void {
  ruleSetOf(files)
}

/** Percent of the memory in use at which the collector begins: the rule sets are most of it, and marked each time. */
collectgarbage('setpause', 400)

/** CPU seconds that this VM's first inspections may still take. */
let ofWarmUp: number = warmUp.seconds

/**
 * Inspects a request with the rule set of these files. `isWarmUp`: the site is not charged for it. Throws if the rule set
 * cannot be loaded.
 */
export function inspect(files: RuleSetFiles, sent: Sent, how: Inspecting): Inspected & { isWarmUp: boolean } {
  const facts = { ...sent, decode: wafLibraries.decode, formDecoded }
  const isWarmUp = ofWarmUp > 0
  const seconds = isWarmUp ? how.seconds * warmUp.factor : how.seconds
  const found = inspectWith(facts, ruleSetOf(files), { ...how, seconds }, tools)
  if (isWarmUp) ofWarmUp -= found.taken
  return { ...found, isWarmUp }
}
