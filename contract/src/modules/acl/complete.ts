/**
 * What may come next in the text of a rule: the editor's completions. Pure, and based on the parser, so that it offers
 * nothing wrong.
 */
import { blockTypes } from '../../fields.ts'
import { HeaderSide } from '../../header-side.ts'
import { countriesByContinent } from '../../system/region-ids.ts'
import { aclActions, aclRedirectStatuses, aclSkippable } from './actions.ts'
import { type AclField, aclField, aclFieldNames, aclOperators, aclSigns, takesOperator } from './fields.ts'
import { parseAcl } from './parse.ts'
import { AclError, type AclReason, type AclToken, tokensOf } from './tokens.ts'

/** A word that may come at a place, and its kind. */
export type AclOffer = { text: string; kind: 'keyword' | 'field' | 'operator' | 'value' }

const offers = (kind: AclOffer['kind'], texts: readonly string[]): AclOffer[] => texts.map((text) => ({ text, kind }))
const keywords = (...texts: string[]) => offers('keyword', texts)

const countries = Object.values(countriesByContinent)
  .flatMap((codes) => codes.split(' '))
  .sort()

/** The values of fields that have few, as they are written. */
const values: Partial<Record<AclField, readonly string[]>> = {
  method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  scheme: ['http', 'https'],
  country: countries,
  weekday: ['1', '2', '3', '4', '5', '6', '7'],
}

const atEnd: Partial<Record<AclReason, (tokens: AclToken[]) => AclOffer[]>> = {
  expectedWhen: () => keywords('when'),
  expectedField: () => [...fields(), ...keywords('not', '(')],
  expectedName: (tokens) => keywords(tokens.at(-1)?.text === '(' ? '"' : '('),
  expectedOperator: (tokens) => offers('operator', operatorsAfter(tokens)),
  expectedList: () => keywords('{'),
  expectedValue: valuesAfter,
  expectedThen: () => keywords('and', 'or', 'then'),
  expectedClose: (tokens) => (isInList(tokens) ? keywords(',', '}') : keywords('and', 'or', ')')),
  expectedAction: () => keywords(...aclActions),
  expectedMode: () => offers('value', Object.keys(blockTypes)),
  wrongArgument: argumentsAfter,
}

/**
 * Completions at a place in a rule's text, counted in characters from its start, and where the word being typed there
 * begins. None inside a quoted text or after an error.
 */
export function completeAcl(text: string, at: number): { from: number; offers: AclOffer[] } {
  const before = text.slice(0, at)
  const from = at - /[A-Za-z0-9]*$/.exec(before)![0].length
  const tokens = tokensBefore(before.slice(0, from))
  const read = parseAcl(before.slice(0, from))
  if (tokens === undefined || !('problem' in read) || read.problem.found !== '') return { from, offers: [] }
  return { from, offers: atEnd[read.problem.reason]?.(tokens) ?? [] }
}

/** The tokens before a place; undefined inside a quoted text. */
function tokensBefore(text: string): AclToken[] | undefined {
  try {
    return tokensOf(text).slice(0, -1)
  } catch (error) {
    if (error instanceof AclError) return undefined
    throw error
  }
}

const fields = () => offers('field', aclFieldNames)

const fieldOf = (token: AclToken | undefined): AclField | undefined =>
  token?.kind === 'word' ? aclFieldNames.find((name) => name === token.text) : undefined

/** The operators of the last field, which its name follows if it has one. */
function operatorsAfter(tokens: AclToken[]): string[] {
  const field = fieldOf(tokens.at(-1)) ?? fieldOf(tokens.at(-4))
  return field === undefined
    ? []
    : aclOperators.filter((operator) => takesOperator(field, operator)).map((operator) => aclSigns[operator])
}

/** Values of the field being compared, or guards that can be skipped. */
function valuesAfter(tokens: AclToken[]): AclOffer[] {
  if (tokens.at(-1)?.text === 'skip' || isSkipping(tokens)) return offers('value', aclSkippable)
  const place = tokens.findLastIndex((token) => fieldOf(token) !== undefined)
  const field = fieldOf(tokens[place])
  if (field === undefined) return []
  const known = values[field]
  if (known !== undefined) return offers('value', known)
  return aclField(field).kind === 'text' ? keywords('"') : []
}

const isInList = (tokens: AclToken[]): boolean =>
  tokens.findLastIndex(({ text }) => text === '{') > tokens.findLastIndex(({ text }) => text === '}')

const isSkipping = (tokens: AclToken[]): boolean =>
  isInList(tokens) && tokens[tokens.findLastIndex(({ text }) => text === '{') - 1]?.text === 'skip'

function argumentsAfter(tokens: AclToken[]): AclOffer[] {
  const last = tokens.at(-1)?.text
  if (last === 'redirect') return offers('value', Object.values(aclRedirectStatuses).map(String))
  return last === 'header' ? keywords(...HeaderSide.options) : []
}
