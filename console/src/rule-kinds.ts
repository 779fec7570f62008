/** The kinds of rules of all areas, found by their files. */
import { provideRuleKinds, type RuleKinds } from './platform/rule-kinds.ts'

provideRuleKinds(Object.values(import.meta.glob<{ ruleKinds: RuleKinds }>(['./*/rule-kinds.ts', '!./platform/*'])))
