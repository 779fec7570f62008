/** The actions of a rule: what it is called, how it changes values, what a match sets and scores. */
import { type WafCondition, type WafTransform, wafTransforms } from '@breakwater/contract/edge/waf-rules.ts'
import { actionsOf, type Place, SecLangError } from './directives.ts'

/** What of a rule stands in its actions. */
export type Said = {
  id: number
  message: string
  tags: string[]
  level: number | undefined
  isChained: boolean
  /** The marker behind which the rules go on where it matches. */
  skipAfter: string | undefined
  /** The rule that is not asked where it matches. */
  removes: number | undefined
  transforms: WafTransform[]
  multiMatch: boolean
  capture: boolean
  sets: NonNullable<WafCondition['sets']>
  score: number | undefined
  /** As they were written. */
  setvars: string[]
}

/** Other spellings. */
const aliases: Record<string, WafTransform> = { normalisePath: 'normalizePath', normalisePathWin: 'normalizePathWin' }
const transforms = new Set<string>(wafTransforms)

/** They say how a rule is logged or refused, which the site's own settings decide here, or whose it is. */
const withoutEffect = new Set(['phase', 'block', 'pass', 'deny', 'log', 'nolog', 'auditlog', 'noauditlog', 'logdata'])
for (const name of ['ver', 'rev', 'severity', 'status', 'expirevar', 'maturity', 'accuracy']) withoutEffect.add(name)
/**
 * The first is about an audit log of its own. The second is the case here always: bodies that are read are looked at. The
 * last spares expressions a file name of harmless bytes, in which next to none of them finds anything.
 */
const controlsWithoutEffect = [
  ...[/^auditLogParts=/, /^forceRequestBodyVariable=On$/],
  /^ruleRemoveTargetByTag=xss-perf-disable;REQUEST_FILENAME$/,
]

const severities: Record<string, number> = { critical: 5, error: 4, warning: 3, notice: 2 }

export function saidBy(text: string, place: Place): Said {
  const said: Said = {
    ...{ id: 0, message: '', tags: [], level: undefined, isChained: false, skipAfter: undefined, transforms: [] },
    removes: undefined,
    ...{ multiMatch: false, capture: false, sets: [], score: undefined, setvars: [] },
  }
  for (const { name, value } of actionsOf(text)) {
    if (withoutEffect.has(name)) continue
    if (name === 'id') said.id = Number(value)
    else if (name === 'msg') said.message = value
    else if (name === 'tag') takeTag(said, value)
    else if (name === 'chain') said.isChained = true
    else if (name === 'capture') said.capture = true
    else if (name === 'multiMatch') said.multiMatch = true
    else if (name === 'skipAfter') said.skipAfter = value
    else if (name === 't') takeTransform(said, value, place)
    else if (name === 'setvar') takeSet(said, value, place)
    else if (name === 'ctl' && /^ruleRemoveById=\d+$/.test(value)) said.removes = Number(value.split('=')[1])
    else if (name === 'ctl' && controlsWithoutEffect.some((known) => known.test(value))) continue
    else throw new SecLangError(place, `the action ${name}${value === '' ? '' : `:${value}`} is not known`)
  }
  return said
}

function takeTag(said: Said, tag: string): void {
  const level = /^paranoia-level\/([1-4])$/.exec(tag)
  if (level) said.level = Number(level[1])
  else said.tags.push(tag)
}

function takeTransform(said: Said, name: string, place: Place): void {
  if (name === 'none') {
    said.transforms = []
    return
  }
  const known = aliases[name] ?? name
  if (!transforms.has(known)) throw new SecLangError(place, `the transformation ${name} is not known`)
  said.transforms.push(known as WafTransform)
}

function takeSet(said: Said, text: string, place: Place): void {
  said.setvars.push(text)
  const [, collection = '', name = '', value = ''] = /^(!?\w+)\.([^=]+)(?:=(.*))?$/s.exec(text) ?? []
  // The scores of kinds of attacks, and the memory of addresses, are told by the log and by the site's other rules.
  if (collection === 'ip' || /_score$/i.test(name)) return
  const scored =
    /^(?:(?:in|out)bound_)?anomaly_score_pl[1-4]$/i.test(name) && /^\+%\{tx\.(\w+)_anomaly_score\}$/i.exec(value)
  // 3.3 counts what a rule about answers scores in the sum of both, too.
  if (scored && !/^outbound_/i.test(name) && said.setvars.some((one) => /^tx\.outbound_/i.test(one))) return
  if (scored) {
    const score = severities[scored[1]!.toLowerCase()]
    if (score === undefined) throw new SecLangError(place, `the severity of ${text} is not known`)
    said.score = (said.score ?? 0) + score
    return
  }
  if (collection.toLowerCase() !== 'tx') throw new SecLangError(place, `setvar:${text} is not known`)
  said.sets.push({ name, value })
}
