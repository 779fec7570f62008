/** The actions of a rule: its names, how it transforms values, and what a match sets and scores. */
import { type WafCondition, type WafTransform, wafTransforms } from '@breakwater/contract/edge/waf-rules.ts'
import { actionsOf, type Place, SecLangError } from './directives.ts'
import { type Control, controlOf } from './exclusions.ts'

/** The parts of a rule that its actions define. */
export type Said = {
  id: number
  message: string
  tags: string[]
  level: number | undefined
  isChained: boolean
  /** The marker after which evaluation continues if it matches. */
  skipAfter: string | undefined
  /** What it excludes from later rules if it matches. */
  controls: Control[]
  transforms: WafTransform[]
  multiMatch: boolean
  capture: boolean
  sets: NonNullable<WafCondition['sets']>
  score: number | undefined
  /** Whether the rule itself refuses, and the severity of what it finds. */
  isRefusing: boolean
  severity: string
  /** The setvar actions as written. */
  setvars: string[]
}

/** Alternative spellings. */
const aliases: Record<string, WafTransform> = { normalisePath: 'normalizePath', normalisePathWin: 'normalizePathWin' }
const transforms = new Set<string>(wafTransforms)

/** Actions about logging, which is decided by the site's own settings here, or about the rule's origin. */
const withoutEffect = new Set(['phase', 'pass', 'log', 'nolog', 'auditlog', 'noauditlog', 'logdata'])
for (const name of ['ver', 'rev', 'status', 'expirevar', 'maturity', 'accuracy']) withoutEffect.add(name)
/** About a separate audit log; and what is always the case here: bodies that are read are inspected. */
const controlsWithoutEffect = [/^auditLogParts=/, /^auditEngine=/, /^forceRequestBodyVariable=On$/]

/** Whether the action has no effect here. */
export const isWithoutEffect = (action: string): boolean => withoutEffect.has(action)

/** Scores by severity, unless the rule set defines others. */
export const severities: Record<string, number> = { critical: 5, error: 4, warning: 3, notice: 2 }
/** Severities by their syslog numbers. */
const numbered: Record<string, string> = { 2: 'critical', 3: 'error', 4: 'warning', 5: 'notice' }

/** The score of a severity; that of `critical` if the severity is unknown. */
export function scoreOf(severity: string, settings: ReadonlyMap<string, string>): number {
  const lower = severity.toLowerCase()
  const name = numbered[lower] ?? lower
  const usual = severities[name]
  return usual === undefined ? severities.critical! : Number(settings.get(`${name}_anomaly_score`) ?? usual)
}

export function saidBy(text: string, place: Place, settings: ReadonlyMap<string, string>): Said {
  const said: Said = {
    ...{ id: 0, message: '', tags: [], level: undefined, isChained: false, skipAfter: undefined, transforms: [] },
    controls: [],
    ...{ multiMatch: false, capture: false, sets: [], score: undefined, setvars: [] },
    ...{ isRefusing: false, severity: '' },
  }
  for (const { name, value } of actionsOf(text)) {
    if (withoutEffect.has(name)) continue
    if (name === 'id') said.id = Number(value)
    else if (name === 'msg') said.message = value
    else if (name === 'tag') takeTag(said, value)
    else if (name === 'chain') said.isChained = true
    else if (name === 'capture') said.capture = true
    else if (name === 'multiMatch') said.multiMatch = true
    else if (name === 'block' || name === 'deny') said.isRefusing = true
    else if (name === 'severity') said.severity = value
    else if (name === 'skipAfter') said.skipAfter = value
    else if (name === 't') takeTransform(said, value, place)
    else if (name === 'setvar') takeSet(said, value, place, settings)
    else if (name === 'ctl') said.controls.push(...controlsOf(value, place))
    else throw new SecLangError(place, `the action ${name}${value === '' ? '' : `:${value}`} is not known`)
  }
  return said
}

const controlsOf = (text: string, place: Place): Control[] =>
  controlsWithoutEffect.some((known) => known.test(text)) ? [] : [controlOf(text, place)]

function takeTag(said: Said, tag: string): void {
  const level = /^paranoia-level\/([1-4])$/.exec(tag)
  if (level) said.level = Number(level[1])
  said.tags.push(tag)
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

function takeSet(said: Said, text: string, place: Place, settings: ReadonlyMap<string, string>): void {
  said.setvars.push(text)
  const [, collection = '', name = '', value = ''] = /^(!?\w+)\.([^=]+)(?:=(.*))?$/s.exec(text) ?? []
  // The scores per kind of attack, and the memory of addresses, are replaced by the log and by the site's other rules.
  if (collection === 'ip' || /_score$/i.test(name)) return
  const scored =
    /^(?:(?:in|out)bound_)?anomaly_score_pl[1-4]$/i.test(name) &&
    /^\+(?:%\{tx\.(\w+)_anomaly_score\}|(\d{1,3}))$/i.exec(value)
  // Version 3.3 also adds the score of a response rule to the combined sum.
  if (scored && !/^outbound_/i.test(name) && said.setvars.some((one) => /^tx\.outbound_/i.test(one))) return
  if (scored) {
    const [, severity = '', number] = scored
    if (number === undefined && severities[severity.toLowerCase()] === undefined)
      throw new SecLangError(place, `the severity of ${text} is not known`)
    said.score = (said.score ?? 0) + (number === undefined ? scoreOf(severity, settings) : Number(number))
    return
  }
  if (collection.toLowerCase() !== 'tx') throw new SecLangError(place, `setvar:${text} is not known`)
  said.sets.push({ name, value })
}
