/**
 * What a logged request would score with other exceptions, another threshold or a lower paranoia level: the node's own
 * arithmetic (`edge/src/request/firewall/waf.ts`) applied to the matches in its row.
 */
import { methods } from '@breakwater/contract/fields.ts'
import type { WafModule, WafModuleRule } from '@breakwater/contract/modules/waf.ts'
import { isWhole, readWaf, type WafMatch } from '@breakwater/contract/modules/waf-exceptions.ts'

export type Settings = Pick<WafModule, 'threshold' | 'paranoia' | 'overBudget'>

/** A row with this many matches may lack further ones. */
const toldMax = 20

export type Row = { path: string; method: string; waf: string; wafScore: number }

export type Rescored = {
  score: number
  isRefused: boolean
  /** The matches that count, as written in the row. */
  kept: string[]
  /** Whether matches that are missing from the row could change the result. */
  isUnsure: boolean
}

type Override = {
  rule: number
  action: WafModuleRule['action']
  speaksOf: (row: Row) => boolean
  isOf: (match: WafMatch) => boolean
  isTargeted: boolean
}
export type Judge = (row: Row) => Rescored

/** `rules` are the enabled ones, in evaluation order; those that have expired by `now` are left out. */
export function judgeOf(
  settings: Settings,
  rules: readonly WafModuleRule[],
  levelOf: (rule: number) => number,
  now: Date,
): Judge {
  const overrides = rules
    .filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > now)
    .map((rule): Override => overrideOf(rule))
  return (row) => judge(row, settings, overrides, levelOf)
}

function overrideOf({ ruleID, action, urlRegex, methodValues, target }: WafModuleRule): Override {
  const url = urlRegex === '' ? undefined : new RegExp(urlRegex)
  const asked = methodValues.length === methods.length ? undefined : new Set<string>(methodValues)
  return {
    ...{ rule: ruleID, action, isTargeted: target !== '' },
    speaksOf: ({ path, method }) => (asked?.has(method) ?? true) && (url?.test(path) ?? true),
    isOf: (match) => (ruleID === 0 || ruleID === match.ruleID) && isOfTarget(match, target),
  }
}

const collections: Record<string, string> = {
  arg: 'ARGS',
  cookie: 'REQUEST_COOKIES',
  header: 'REQUEST_HEADERS',
  file: 'FILES',
}

function isOfTarget({ where }: WafMatch, target: string): boolean {
  if (target === '') return true
  const colon = target.indexOf(':')
  const [from, name] = [collections[target.slice(0, colon)] ?? '', target.slice(colon + 1)]
  return where.startsWith(from) && where.slice(where.indexOf(':') + 1).toLowerCase() === name.toLowerCase()
}

function judge(
  row: Row,
  { threshold, paranoia, overBudget }: Settings,
  overrides: readonly Override[],
  levelOf: (rule: number) => number,
): Rescored {
  const here = overrides.filter((one) => one.speaksOf(row))
  const { matches, budget } = readWaf(row.waf)
  if (here.some(({ rule, action, isTargeted }) => rule === 0 && action === 'off' && !isTargeted))
    return { score: 0, isRefused: false, kept: [], isUnsure: false }
  const kept: string[] = []
  let score = 0
  let isEnforced = false
  // A match that stands for several values names only the first.
  let isUnsure = false
  for (const match of matches) {
    if (match.isNew || levelOf(match.ruleID) > paranoia) continue
    const ofRule = here.filter(({ action, rule }) => action === 'off' && (rule === 0 || rule === match.ruleID))
    isUnsure ||= !isWhole(match) && ofRule.some(({ isTargeted }) => isTargeted)
    if (ofRule.some(({ isOf }) => isOf(match))) continue
    const said = here.find(({ action, isOf }) => action !== 'off' && isOf(match))
    if (said?.action === 'observe') continue
    isEnforced ||= said?.action === 'enforce'
    kept.push(match.text)
    score += match.score
  }
  const isOver = isEnforced || score >= threshold
  const rest = matches.length < toldMax ? 0 : Math.max(0, row.wafScore - sumOf(matches.filter(({ isNew }) => !isNew)))
  isUnsure ||= !isOver && score + rest >= threshold && rest > 0
  return { score, isRefused: isOver || (budget !== undefined && overBudget === 'block'), kept, isUnsure }
}

const sumOf = (matches: readonly WafMatch[]): number => matches.reduce((sum, { score }) => sum + score, 0)
