/** Checks for kinds of rules that reference what is saved elsewhere. */
import type { RuleCheck } from '../rules/rule-check.ts'
import { requireFrequencies } from './frequencies.ts'

export const ruleChecks: Readonly<Partial<Record<string, RuleCheck>>> = { antiCC: requireFrequencies }
