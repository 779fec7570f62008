/** Collects the kinds of rules of all areas from their files. */
import { provideRuleKinds, type RuleKinds } from './platform/rule-kinds.ts'

provideRuleKinds(Object.values(import.meta.glob<{ ruleKinds: RuleKinds }>(['./*/rule-kinds.ts', '!./platform/*'])))
