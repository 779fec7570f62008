/** Rules of a rule set that match more often than those of the previous one: these only observe first. Pure. */
import { moreOften, type SavedObservedRule } from '@breakwater/contract/nodes/observed-rules.ts'
import type { ChangedRule } from './changed-answers.ts'

/** Number of matching requests by rule id. */
export type Counts = Readonly<Record<number, number>>
/** How often each rule matched ordinary requests in the lab: of an uploaded set, and of the default for comparison. */
export type RuleSetHits = { own: Counts; default: Counts }

/** Matches of both sets on the same live requests. */
export type BothMatched = {
  requests: number
  rules: { ruleID: number; before: number; now: number; people: number }[]
}

export type Switch = {
  /** Ids of the rules in the previous set. */
  known: ReadonlySet<number>
  benign: { before: Counts; now: Counts }
  live: BothMatched
  /** Response rules, for which nothing was counted. */
  answers: readonly ChangedRule[]
  /** Rules of the new set that were observed in the previous one and that nobody has released. */
  unreleased: readonly SavedObservedRule[]
}

const nothingCounted = { benign: { before: 0, now: 0 }, live: { before: 0, now: 0, people: 0 } }

export function rulesToObserve({ known, benign, live, answers, unreleased }: Switch): SavedObservedRule[] {
  const seen = new Map(live.rules.map(({ ruleID, ...counts }) => [ruleID, counts]))
  const ids = [...new Set([...Object.keys(benign.now).map(Number), ...seen.keys()])].sort((a, b) => a - b)
  const chosen = ids.flatMap((ruleID): SavedObservedRule[] => {
    const inLab = { before: benign.before[ruleID] ?? 0, now: benign.now[ruleID] ?? 0 }
    const inTraffic = seen.get(ruleID) ?? { before: 0, now: 0, people: 0 }
    const isNew = !known.has(ruleID)
    // There is no expected rate for a new rule: matching only attackers is its purpose.
    const isObserved = isNew
      ? inLab.now > 0 || inTraffic.people > 0
      : inLab.now > moreOften * inLab.before || inTraffic.now > moreOften * inTraffic.before
    return isObserved ? [{ ruleID, isNew, benign: inLab, live: inTraffic }] : []
  })
  for (const { ruleID, isNew } of answers) chosen.push({ ruleID, isNew, isOfAnswers: true, ...nothingCounted })
  const now = new Set(chosen.map(({ ruleID }) => ruleID))
  return [...chosen, ...unreleased.filter(({ ruleID }) => !now.has(ruleID))].sort((a, b) => a.ruleID - b.ruleID)
}
