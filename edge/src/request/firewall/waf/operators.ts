/** Whether a value satisfies a condition. */
import type { WafMatching } from '../../lib/waf-tools.ts'
import type { CompiledCondition } from './compiled-rule.ts'
import { numberOf } from './number.ts'
import { hasWord } from './words.ts'

/** An expression that hits its limits counts as a match, negated or not: making a rule slow does not bypass it. */
export function holds(condition: CompiledCondition, argument: string, text: string, tools: WafMatching): boolean {
  if (condition.operator === 'rx') {
    const found = tools.search(condition.pattern!, text)
    return found < 0 || (found === 1) !== condition.negated
  }
  return isSo(condition, argument, text, tools) !== condition.negated
}

function isSo(condition: CompiledCondition, argument: string, text: string, tools: WafMatching): boolean {
  switch (condition.operator) {
    case 'pm':
      return hasWord(condition.words!, text)
    case 'streq':
      return text === argument
    case 'contains':
      return text.indexOf(argument) >= 0
    case 'within':
      return argument.indexOf(text) >= 0
    case 'beginsWith':
      return text.startsWith(argument)
    case 'endsWith':
      return text.endsWith(argument)
    case 'eq':
      return numberOf(text) === numberOf(argument)
    case 'ge':
      return numberOf(text) >= numberOf(argument)
    case 'gt':
      return numberOf(text) > numberOf(argument)
    case 'le':
      return numberOf(text) <= numberOf(argument)
    case 'lt':
      return numberOf(text) < numberOf(argument)
    case 'detectSQLi':
      return tools.isSqlInjection(text)
    case 'detectXSS':
      return tools.isCrossSiteScripting(text)
    case 'validateByteRange':
      return tools.texts.holdsByte(text, condition.wrongBytes!)
    case 'validateUrlEncoding':
      return !tools.texts.isUrlEncoded(text)
    case 'validateUtf8Encoding':
      return !tools.texts.isUtf8(text)
    default:
      return false
  }
}
