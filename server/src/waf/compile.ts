/** SecLang to a rule set as nodes evaluate it. What it cannot say is an error with its file and line, never left out silently. */
import type { WafCondition, WafRule, WafRulesPart, WafTarget } from '@breakwater/contract/edge/waf-rules.ts'
import { type Said, saidBy } from './actions.ts'
import { type Directive, directivesOf, SecLangError, SecLangErrors } from './directives.ts'
import { type Around, operatorOf } from './operators.ts'
import { settle, type WrittenNames, writtenNames } from './settings.ts'
import { targetsOf, updateTargets } from './targets.ts'

/** What people are told of a rule. */
export type RuleText = { id: number; name: string; category: string; description: string; level: number }
export type Compiled = { part: WafRulesPart; texts: RuleText[] }

export type Source = {
  name: string
  /** In the order in which they are read. */
  files: { name: string; text: string }[]
  /** Markers of what stands behind these files: rules may lead there, which is the end. */
  behind?: readonly string[]
} & Around

/** They say how rules are refused and logged, which is the site's to say, and who made them. */
const withoutEffect = new Set(['SecComponentSignature', 'SecDefaultAction', 'SecCollectionTimeout'])

type Draft = { said: Said; conditions: WafCondition[]; at: Directive }

/** Throws `SecLangErrors`. */
export function compileRules(source: Source): Compiled {
  const drafts: Draft[] = []
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
  for (const file of source.files) noting(() => readFile(file, source, drafts, markers))
  let made: Compiled | undefined
  noting(() => {
    for (const marker of source.behind ?? []) markers.set(marker, drafts.length)
    if (problems.length === 0) made = finished(source, drafts, markers)
  })
  if (!made) throw new SecLangErrors(problems)
  return made
}

/** The level of each rule is said by its tag; what leads around those of higher ones is not needed. */
const levelTest = /^TX:(?:EXECUTING|DETECTION)_PARANOIA_LEVEL$/i

function readFile(file: Source['files'][number], source: Source, drafts: Draft[], markers: Map<string, number>): void {
  let open: Draft | undefined
  for (const directive of directivesOf(file.name, file.text)) {
    if (withoutEffect.has(directive.name)) continue
    if (directive.name === 'SecMarker') {
      markers.set(directive.arguments[0] ?? '', drafts.length)
      continue
    }
    if (directive.name === 'SecRuleUpdateTargetById') {
      updateTargets(drafts, directive)
      continue
    }
    if (directive.name !== 'SecRule') throw new SecLangError(directive, `${directive.name} is not known`)
    const [variables = '', operator = '', actions = ''] = directive.arguments
    if (levelTest.test(variables)) continue
    const said = saidBy(actions, directive)
    const targets = targetsOf(variables, directive)
    const condition = conditionOf(said, targets, operatorOf(operator, directive, source))
    checkPlaces(condition, directive)
    if (open) open.conditions.push(condition)
    else {
      if (said.id === 0) throw new SecLangError(directive, 'a rule has no id')
      open = { said, conditions: [condition], at: directive }
      drafts.push(open)
    }
    if (!said.isChained) open = undefined
  }
  if (open) throw new SecLangError(open.at, 'a chain has no end')
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

/** What nodes fill in where an argument or a set value names it; anything else would be empty there. */
const unknownPlace = /%\{(?!(?:tx|args|request_headers)\.|matched_var(?:_name)?\})[^}]*\}/i

function checkPlaces({ argument, isTemplate, sets = [] }: WafCondition, at: Directive): void {
  const texts = [isTemplate ? argument : '', ...sets.flatMap(({ name, value }) => [name, value])]
  const unknown = texts.map((text) => unknownPlace.exec(text)?.[0]).find((place) => place !== undefined)
  if (unknown !== undefined) throw new SecLangError(at, `the place ${unknown} is not known`)
}

/** Rules that can never match are left out, and groups that nobody asks for are not kept. */
function finished({ name, settings }: Source, drafts: Draft[], markers: ReadonlyMap<string, number>): Compiled {
  const written: WrittenNames = writtenNames(drafts.flatMap(({ conditions }) => conditions))
  const settled = drafts.map((draft) => settle(draft, { settings, written }))
  const kept = drafts.flatMap((draft, n) => (settled[n] === undefined ? [] : [{ ...draft, conditions: settled[n] }]))
  const rules = kept.map(({ said, conditions, at }, place): WafRule => {
    const skip =
      said.skipAfter !== undefined ? skipOf(said.skipAfter) : said.removes === undefined ? 0 : nextOf(said.removes)
    return {
      id: said.id,
      level: said.level ?? 1,
      conditions: needsGroups(conditions) ? conditions : conditions.map(({ capture: _, ...condition }) => condition),
      ...(skip > 0 && { skip }),
    }

    /** A rule that takes away the one behind it leads around it. */
    function nextOf(id: number): number {
      if (kept[place + 1]?.said.id !== id)
        throw new SecLangError(at, `the action ctl:ruleRemoveById=${id} is not known`)
      return 1
    }

    function skipOf(marker: string): number {
      const end = markers.get(marker)
      if (end === undefined) throw new SecLangError(at, `the marker ${marker} is not there`)
      return settled.slice(0, end).filter((one) => one !== undefined).length - place - 1
    }
  })
  const texts = kept.map(({ said, at }) => ({
    id: said.id,
    name: said.message || said.tags.find((tag) => tag.startsWith('attack-')) || categoryOf(at.file),
    category: categoryOf(at.file),
    description: said.tags.filter((tag) => tag.startsWith('attack-')).join(', '),
    level: said.level ?? 1,
  }))
  return { part: { kind: 'wafRules', name, rules }, texts }
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
