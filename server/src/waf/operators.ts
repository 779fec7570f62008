/** The operator of a rule, with its argument. */
import { type WafCondition, type WafOperator, wafOperators } from '@breakwater/contract/edge/waf-rules.ts'
import { type Place, SecLangError } from './directives.ts'

const operators = new Set<string>(wafOperators)
/** Other names for the same operator. */
const aliases: Record<string, WafOperator> = { pmf: 'pm', pmFromFile: 'pm' }

/** What the compiler knows besides the rule: settings of the rule set, and word list files. */
export type Around = {
  /** The content of `TX` before the first rule, by lower-case name. */
  settings: ReadonlyMap<string, string>
  /** The text of a file next to the rules. Throws if it does not exist. */
  readWords(file: string): string
}

export function operatorOf(
  text: string,
  place: Place,
  { settings, readWords }: Around,
): Pick<WafCondition, 'operator' | 'negated' | 'argument' | 'isTemplate' | 'words'> {
  const [, not = '', named, rest = ''] = /^(!?)(?:@(\w+)\s*)?(.*)$/s.exec(text)!
  const name = named ?? 'rx'
  const operator = aliases[name] ?? name
  if (!operators.has(operator)) throw new SecLangError(place, `the operator @${name} is not known`)
  const argument = withSettings(operator === 'rx' ? rest : rest.trim(), settings)
  const negated = not === '!' && { negated: true }
  if (operator === 'pm') {
    const words = name === 'pm' ? argument.split(/\s+/) : wordsOfFiles(argument, place, readWords)
    return { operator: 'pm', ...negated, argument: '', words: lowerCase(words) }
  }
  const isTemplate = /%\{[^}]+\}/.test(argument)
  if (isTemplate && operator === 'rx') throw new SecLangError(place, 'an expression that changes with the request')
  return { operator: operator as WafOperator, ...negated, argument, ...(isTemplate && { isTemplate: true }) }
}

/** Settings never change, so they are inserted where rules refer to them. */
function withSettings(text: string, settings: ReadonlyMap<string, string>): string {
  return text.replace(/%\{tx\.([^}]+)\}/gi, (whole, name: string) => settings.get(name.toLowerCase()) ?? whole)
}

function wordsOfFiles(names: string, place: Place, readWords: Around['readWords']): string[] {
  return names.split(/\s+/).flatMap((name) => {
    try {
      return readWords(name)
        .split(/\r?\n/)
        .filter((line) => line.trim() !== '' && !line.startsWith('#'))
        .map((line) => line.trim())
    } catch (cause) {
      throw new SecLangError(place, `${name} cannot be read: ${cause instanceof Error ? cause.message : cause}`)
    }
  })
}

/** ASCII only, because nodes compare bytes. */
const lowerCase = (words: string[]) => [
  ...new Set(words.filter((word) => word !== '').map((word) => word.replace(/[A-Z]/g, (c) => c.toLowerCase()))),
]
