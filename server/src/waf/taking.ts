/** Takes what exclusions and controls say from the rules that they speak of. */
import type { WafCondition, WafTarget } from '@breakwater/contract/edge/waf-rules.ts'
import type { Said } from './actions.ts'
import { type Directive, SecLangError } from './directives.ts'
import type { Control, Exclusion } from './exclusions.ts'

/** A rule as it was read, in the order of the set. */
export type Draft = { said: Said; conditions: WafCondition[]; at: Directive }

/** Whether an exclusion, or a control of a rule, speaks of a rule of the set at all. */
export type Spoken = { file: string; line: number; text: string; isUsed: boolean }

const spoken = ({ file, line }: Directive, { text }: Control, isUsed: boolean): Spoken => ({ file, line, text, isUsed })

/** Those that are left, of every request. */
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
 * Of requests that a rule matched: by the rules, which of those before them take them away. `kept` are those that are
 * asked at all. Throws `SecLangError` where rules are meant that were asked already.
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

/** Of chains, the first condition. What it does not look at anyway is not left out: it may be about settings alone. */
function takeTargets({ conditions: [first] }: Draft, targets: readonly WafTarget[], ifMatched?: number): void {
  const looked = new Set(first!.targets.map(({ from }) => from))
  for (const target of targets)
    if (!target.except || looked.has(target.from))
      first!.targets.push({ ...target, ...(ifMatched !== undefined && { ifMatched }) })
}

/** Where answers are looked at, this is known of their requests. */
const known = new Set<string>([
  'REQUEST_METHOD',
  'REQUEST_URI',
  'REQUEST_URI_RAW',
  'REQUEST_FILENAME',
  'REQUEST_BASENAME',
])
for (const name of ['QUERY_STRING', 'ARGS_GET', 'ARGS_GET_NAMES', 'TX']) known.add(name)

/**
 * Rules before those about answers that take nothing from them. Throws `SecLangError` where one does that looks at more
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
