/** Applies exclusions and controls to the rules that they refer to. */
import type { WafCondition, WafTarget } from '@breakwater/contract/edge/waf-rules.ts'
import type { Said } from './actions.ts'
import { type Directive, SecLangError } from './directives.ts'
import type { Control, Exclusion } from './exclusions.ts'

/** A rule as read, in the order of the set. */
export type Draft = { said: Said; conditions: WafCondition[]; at: Directive }

/** Whether an exclusion, or a control of a rule, refers to any rule of the set. */
export type Spoken = { file: string; line: number; text: string; isUsed: boolean }

const spoken = ({ file, line }: Directive, { text }: Control, isUsed: boolean): Spoken => ({ file, line, text, isUsed })

/** Applies exclusions that hold for every request. Returns the removed rules. */
export function takeExclusions(
  drafts: readonly Draft[],
  exclusions: readonly Exclusion[],
): { removed: Set<Draft>; spoken: Spoken[] } {
  const removed = new Set<Draft>()
  const told = exclusions.map((exclusion) => {
    const meant = drafts.filter(({ said }) => exclusion.isMeant(said))
    for (const draft of meant) {
      if (exclusion.targets === undefined) removed.add(draft)
      else takeTargets(draft, exclusion.targets)
    }
    return spoken(exclusion.at, exclusion, meant.length > 0)
  })
  return { removed, spoken: told }
}

/**
 * Applies controls, which hold for requests that a rule matched: for each rule, the earlier rules that exclude it.
 * `kept` are the rules that are evaluated at all. Throws `SecLangError` if a control refers to rules that were
 * evaluated before it.
 */
export function takeControls(kept: readonly Draft[]): { unless: Map<Draft, number[]>; spoken: Spoken[] } {
  const unless = new Map<Draft, number[]>()
  const told: Spoken[] = []
  for (const [place, { said, at }] of kept.entries()) {
    for (const control of said.controls) {
      const early = kept.slice(0, place).filter((draft) => isScoring(draft) && control.isMeant(draft.said))
      if (early.length > 0) throw new SecLangError(at, `${control.text} speaks of rules that stand before it`)
      const meant = kept.slice(place + 1).filter((draft) => control.isMeant(draft.said))
      for (const draft of meant) {
        if (control.targets === undefined) unless.set(draft, [...(unless.get(draft) ?? []), said.id])
        else takeTargets(draft, control.targets, said.id)
      }
      told.push(spoken(at, control, meant.length > 0))
    }
  }
  return { unless, spoken: told }
}

const isScoring = ({ conditions }: Draft): boolean => conditions.some(({ score = 0 }) => score > 0)

/**
 * For a chain, only the first condition. A value that it does not inspect is not added as an exclusion: the condition
 * may be about settings only.
 */
function takeTargets({ conditions: [first] }: Draft, targets: readonly WafTarget[], ifMatched?: number): void {
  const looked = new Set(first!.targets.map(({ from }) => from))
  for (const target of targets)
    if (!target.except || looked.has(target.from))
      first!.targets.push({ ...target, ...(ifMatched !== undefined && { ifMatched }) })
}

/** What is known of the request when its response is inspected. */
const known = new Set<string>([
  'REQUEST_METHOD',
  'REQUEST_URI',
  'REQUEST_URI_RAW',
  'REQUEST_FILENAME',
  'REQUEST_BASENAME',
])
for (const name of ['QUERY_STRING', 'ARGS_GET', 'ARGS_GET_NAMES', 'TX']) known.add(name)

/**
 * The rules before the response rules that exclude none of them. Throws `SecLangError` if one that does depends on more
 * than is known there.
 */
export function notOfAnswers(drafts: readonly Draft[], isBefore: (draft: Draft) => boolean): Draft[] {
  const answers = drafts.filter((draft) => !isBefore(draft))
  return drafts.filter(isBefore).filter(({ said, conditions, at }) => {
    const control = said.controls.find(({ isMeant }) => answers.some((draft) => isMeant(draft.said)))
    const unknown = conditions.flatMap(({ targets }) => targets).find(({ from }) => !known.has(from))
    if (control && unknown)
      throw new SecLangError(at, `${control.text} of rules about answers by ${unknown.from} is not known`)
    return !control
  })
}
