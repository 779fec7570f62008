/**
 * Compiles SecLang into a rule set as nodes evaluate it. What it does not support is an error with its file and line,
 * never skipped silently.
 */
import type { WafCondition, WafRule, WafRulesPart, WafTarget } from '@breakwater/contract/edge/waf-rules.ts'
import { type Said, saidBy, scoreOf } from './actions.ts'
import { type Directive, directivesOf, SecLangError, SecLangErrors } from './directives.ts'
import { type Exclusion, exclusionOf } from './exclusions.ts'
import { type Around, operatorOf } from './operators.ts'
import { settle, type WrittenNames, writtenNames } from './settings.ts'
import { type Draft, notOfAnswers, type Spoken, takeControls, takeExclusions } from './taking.ts'
import { targetsOf } from './targets.ts'

/** The description of a rule for people. */
export type RuleText = { id: number; name: string; category: string; description: string; level: number }
/**
 * `exclusions`: those that it was compiled with; `spoken`: which of them, and of the rules' controls, apply to a rule
 * of the set.
 */
export type Compiled = { part: WafRulesPart; texts: RuleText[]; exclusions: Exclusion[]; spoken: Spoken[] }

export type Source = {
  name: string
  /** In reading order. */
  files: { name: string; text: string }[]
  /**
   * Directives that are read before them; for response rules, only those that exclude something from these are kept.
   */
  before?: readonly Directive[]
  isOfAnswers?: boolean
  /** Exclusions defined elsewhere. */
  exclusions?: readonly Exclusion[]
  /** Markers that come after these files: rules may jump there, which ends the evaluation. */
  behind?: readonly string[]
} & Around

/** Directives about refusing and logging, which the site decides, and about their author. */
const withoutEffect = new Set(['SecComponentSignature', 'SecDefaultAction', 'SecCollectionTimeout'])

/** Throws `SecLangErrors`. */
export function compileRules(source: Source): Compiled {
  const drafts: Draft[] = []
  const exclusions: Exclusion[] = [...(source.exclusions ?? [])]
  const markers = new Map<string, number>()
  const problems: SecLangError[] = []
  const noting = (run: () => void) => {
    try {
      run()
    } catch (error) {
      if (!(error instanceof SecLangError)) throw error
      problems.push(error)
    }
  }
  const read: Reading = { source, drafts, markers, exclusions }
  for (const directives of Object.values(Object.groupBy(source.before ?? [], ({ file }) => file)))
    noting(() => readDirectives(directives ?? [], read))
  for (const { name, text } of source.files) noting(() => readDirectives(directivesOf(name, text), read))
  let made: Compiled | undefined
  noting(() => {
    for (const marker of source.behind ?? []) markers.set(marker, drafts.length)
    if (problems.length === 0) made = finished(read)
  })
  if (!made) throw new SecLangErrors(problems)
  return made
}

type Reading = { source: Source; drafts: Draft[]; markers: Map<string, number>; exclusions: Exclusion[] }

/** The level of each rule comes from its tag; the jumps around rules of higher levels are not needed. */
const levelTest = /^TX:(?:EXECUTING|DETECTION)_PARANOIA_LEVEL$/i

function readDirectives(directives: readonly Directive[], { source, drafts, markers, exclusions }: Reading): void {
  let open: Draft | undefined
  for (const directive of directives) {
    if (withoutEffect.has(directive.name)) continue
    if (directive.name === 'SecMarker') {
      markers.set(directive.arguments[0] ?? '', drafts.length)
      continue
    }
    const exclusion = exclusionOf(directive)
    if (exclusion) {
      exclusions.push(exclusion)
      continue
    }
    if (directive.name !== 'SecRule') throw new SecLangError(directive, `${directive.name} is not known`)
    const [variables = '', operator = '', actions = ''] = directive.arguments
    if (levelTest.test(variables)) continue
    const said = saidBy(actions, directive, source.settings)
    const targets = targetsOf(variables, directive)
    const condition = conditionOf(said, targets, operatorOf(operator, directive, source))
    checkPlaces(condition, directive)
    if (open) {
      open.conditions.push(condition)
      // The controls of a chain apply if all of it matches, wherever in the chain they are.
      open.said.controls.push(...said.controls)
    } else {
      if (said.id === 0) throw new SecLangError(directive, 'a rule has no id')
      open = { said, conditions: [condition], at: directive }
      drafts.push(open)
    }
    if (said.isChained) continue
    scoreRefusal(open, source.settings)
    open = undefined
  }
  if (open) throw new SecLangError(open.at, 'a chain has no end')
}

/** A refusing rule without a score, as in rules outside of the Core Rule Set, is scored by its severity. */
function scoreRefusal({ said, conditions }: Draft, settings: Source['settings']): void {
  if (!said.isRefusing || conditions.some(({ score }) => score !== undefined)) return
  conditions.at(-1)!.score = scoreOf(said.severity, settings)
}

function conditionOf(said: Said, targets: WafTarget[], operator: ReturnType<typeof operatorOf>): WafCondition {
  return {
    targets,
    transforms: said.transforms,
    ...(said.multiMatch && { multiMatch: true }),
    ...operator,
    ...(said.capture && { capture: true }),
    ...(said.sets.length > 0 && { sets: said.sets }),
    ...(said.score !== undefined && { score: said.score }),
  }
}

/** Placeholders that nodes replace in an argument or a set value; any other would be empty there. */
const unknownPlace = /%\{(?!(?:tx|args|request_headers)\.|matched_var(?:_name)?\})[^}]*\}/i

function checkPlaces({ argument, isTemplate, sets = [] }: WafCondition, at: Directive): void {
  const texts = [isTemplate ? argument : '', ...sets.flatMap(({ name, value }) => [name, value])]
  const unknown = texts.map((text) => unknownPlace.exec(text)?.[0]).find((place) => place !== undefined)
  if (unknown !== undefined) throw new SecLangError(at, `the place ${unknown} is not known`)
}

/** Leaves out rules that can never match, and drops captures that nothing uses. */
function finished({ source, drafts, markers, exclusions }: Reading): Compiled {
  const { name, settings, before = [], isOfAnswers } = source
  const { removed, spoken: ofAll } = takeExclusions(drafts, exclusions)
  const isBefore = ({ at }: Draft) => before.includes(at)
  if (isOfAnswers) for (const draft of notOfAnswers(drafts, isBefore)) removed.add(draft)
  const written: WrittenNames = writtenNames(drafts.flatMap(({ conditions }) => conditions))
  const settled = drafts.map((draft) => (removed.has(draft) ? undefined : settle(draft, { settings, written })))
  const left = drafts.filter((_, n) => settled[n] !== undefined)
  const { unless, spoken } = takeControls(left)
  const kept = drafts.flatMap((draft, n) =>
    settled[n] === undefined ? [] : [{ ...draft, conditions: settled[n], unlessMatched: unless.get(draft) }],
  )
  const rules = kept.map(({ said, conditions, at, unlessMatched }, place): WafRule => {
    const skip = said.skipAfter === undefined ? 0 : skipOf(said.skipAfter)
    return {
      id: said.id,
      level: said.level ?? 1,
      conditions: needsGroups(conditions) ? conditions : conditions.map(({ capture: _, ...condition }) => condition),
      ...(skip > 0 && { skip }),
      ...(unlessMatched && { unlessMatched }),
    }

    function skipOf(marker: string): number {
      const end = markers.get(marker)
      if (end === undefined) throw new SecLangError(at, `the marker ${marker} is not there`)
      return settled.slice(0, end).filter((one) => one !== undefined).length - place - 1
    }
  })
  const told = isOfAnswers ? kept.filter(({ at }) => !before.includes(at)) : kept
  const texts = told.map(({ said, at }) => ({
    id: said.id,
    name: said.message || said.tags.find((tag) => tag.startsWith('attack-')) || categoryOf(at.file),
    category: categoryOf(at.file),
    description: said.tags.filter((tag) => tag.startsWith('attack-')).join(', '),
    level: said.level ?? 1,
  }))
  return { part: { kind: 'wafRules', name, rules }, texts, exclusions, spoken: [...ofAll, ...spoken] }
}

const needsGroups = (conditions: WafCondition[]): boolean =>
  conditions.some(
    ({ targets, argument, sets = [] }) =>
      targets.some(({ from, name }) => from === 'TX' && /^\d$/.test(name ?? '')) ||
      [argument, ...sets.flatMap((set) => [set.name, set.value])].some((text) => /%\{tx\.\d\}/i.test(text)),
  )

/** `REQUEST-942-APPLICATION-ATTACK-SQLI.conf` is SQLI. */
const categoryOf = (file: string): string =>
  file.replace(/^(?:REQUEST|RESPONSE)-\d+-(?:APPLICATION-ATTACK-)?(.*)\.conf$/, '$1')
