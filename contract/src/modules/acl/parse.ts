/**
 * Parses the text form of a rule:
 *
 *   when path startsWith "/admin" and not (address in {192.0.2.0/24} or country = DE) then challenge slider
 */
import { blockTypes } from '../../fields.ts'
import { HeaderSide } from '../../header-side.ts'
import { type AclAction, AclHeader, AclLimit, AclRedirect, aclActions, aclSkippable, plainAction } from './actions.ts'
import {
  type AclCondition,
  type AclTest,
  aclDepthMax,
  aclMatchesMax,
  aclTestsMax,
  aclValuesMax,
  measured,
  testProblem,
} from './condition.ts'
import { type AclField, type AclOperator, aclField, aclFields, aclSigns } from './fields.ts'
import { AclError, type AclProblem, type AclReason, type AclToken, tokensOf } from './tokens.ts'

export type AclRuleText = AclAction & { conditions: AclCondition }

/** Words of the language, which cannot be bare values. */
const reserved = new Set<string>([
  'when',
  'then',
  'and',
  'or',
  'not',
  ...Object.values(aclSigns),
  ...Object.keys(aclFields),
])
const operators = new Map(Object.entries(aclSigns).map(([name, sign]) => [sign as string, name as AclOperator]))

/** Returns the rule, or what is wrong with its text. */
export function parseAcl(text: string): { rule: AclRuleText } | { problem: AclProblem } {
  try {
    return { rule: new Parser(tokensOf(text)).rule() }
  } catch (error) {
    if (error instanceof AclError) return { problem: error.problem }
    throw error
  }
}

class Parser {
  private readonly tokens: AclToken[]
  private at = 0

  constructor(tokens: AclToken[]) {
    this.tokens = tokens
  }

  rule(): AclRuleText {
    this.expect('when', 'expectedWhen')
    const first = this.next
    const conditions = this.any(0)
    const { tests, matches, depth } = measured(conditions)
    if (tests > aclTestsMax) throw new AclError(first, 'tooManyTests')
    if (matches > aclMatchesMax) throw new AclError(first, 'tooManyMatches')
    if (depth > aclDepthMax) throw new AclError(first, 'tooDeep')
    this.expect('then', 'expectedThen')
    const rule = { conditions, ...this.action() }
    if (this.next.kind !== 'end') throw new AclError(this.next, 'expectedEnd')
    return rule
  }

  private get next(): AclToken {
    return this.tokens[this.at]!
  }

  private is(text: string): boolean {
    return this.next.kind !== 'string' && this.next.text === text
  }

  private skip(text: string): boolean {
    if (!this.is(text)) return false
    this.at += 1
    return true
  }

  private expect(text: string, reason: AclReason): void {
    if (!this.skip(text)) throw new AclError(this.next, reason)
  }

  /** `and` binds closer than `or`. Parsing stops at a nesting deeper than any tree may have. */
  private any(depth: number): AclCondition {
    const parts = this.joined('or', () => this.joined('and', () => this.one(depth)))
    return parts as AclCondition
  }

  private joined(by: 'and' | 'or', read: () => AclCondition): AclCondition {
    const parts = [read()]
    while (this.skip(by)) parts.push(read())
    if (parts.length === 1) return parts[0]!
    return by === 'and' ? { all: parts } : { any: parts }
  }

  private one(depth: number): AclCondition {
    if (depth > aclDepthMax * 2) throw new AclError(this.next, 'tooDeep')
    if (this.skip('not')) return { not: this.one(depth + 1) }
    if (!this.skip('(')) return this.test()
    const inner = this.any(depth + 1)
    this.expect(')', 'expectedClose')
    return inner
  }

  private test(): AclTest {
    const place = this.next
    if (place.kind !== 'word' || !Object.hasOwn(aclFields, place.text)) throw new AclError(place, 'expectedField')
    this.at += 1
    const field = place.text as AclField
    const name = this.name(field)
    const sign = this.next
    const operator = sign.kind === 'string' ? undefined : operators.get(sign.text)
    if (!operator) throw new AclError(sign, 'expectedOperator')
    this.at += 1
    const before = this.at
    const values = operator === 'exists' ? [] : operator === 'in' ? this.list() : [this.value()]
    const test = { field, name, operator, values }
    this.check(test, place, sign, before)
    return test
  }

  /** Reports a problem of a test at the place of its name, its operator or its value. */
  private check(test: AclTest, field: AclToken, sign: AclToken, valuesFrom: number): void {
    const problem = testProblem(test)
    if (!problem) return
    if (problem.at === 'name') throw new AclError(field, 'wrongName')
    if (problem.at === 'operator') throw new AclError(sign, 'wrongOperator')
    const values = this.tokens.slice(valuesFrom, this.at).filter(({ kind }) => kind !== 'sign')
    const wrong = values.find(({ text }) => testProblem({ ...test, values: [text] })) ?? values[0] ?? sign
    const reason = problem.reason.startsWith('regex') ? (problem.reason as AclReason) : 'wrongValue'
    throw new AclError(wrong, reason)
  }

  private name(field: AclField): string {
    if (!aclField(field).isNamed) return ''
    this.expect('(', 'expectedName')
    const { kind, text } = this.next
    if (kind !== 'string') throw new AclError(this.next, 'expectedName')
    this.at += 1
    this.expect(')', 'expectedClose')
    return text
  }

  private list(): string[] {
    this.expect('{', 'expectedList')
    const values = [this.value()]
    while (this.skip(',')) values.push(this.value())
    if (values.length > aclValuesMax) throw new AclError(this.next, 'tooManyValues')
    this.expect('}', 'expectedClose')
    return values
  }

  private value(): string {
    const { kind, text } = this.next
    if (kind !== 'string' && (kind !== 'word' || reserved.has(text))) throw new AclError(this.next, 'expectedValue')
    this.at += 1
    return text
  }

  private action(): AclAction {
    const name = aclActions.find((action) => this.is(action))
    if (!name) throw new AclError(this.next, 'expectedAction')
    this.at += 1
    const plain = { ...plainAction, action: name }
    if (name === 'challenge') return { ...plain, blockType: this.mode() }
    if (name === 'limit') return { ...plain, limit: this.limit() }
    if (name === 'redirect') return { ...plain, redirect: this.redirect() }
    if (name === 'header') return { ...plain, header: this.header() }
    return name === 'skip' ? { ...plain, skip: this.skipped() } : plain
  }

  private mode(): AclAction['blockType'] {
    const { kind, text } = this.next
    if (kind !== 'word' || !Object.hasOwn(blockTypes, text)) throw new AclError(this.next, 'expectedMode')
    this.at += 1
    return blockTypes[text as keyof typeof blockTypes]
  }

  /** `limit 10 burst 20` */
  private limit(): NonNullable<AclAction['limit']> {
    const rate = this.argument((text) => AclLimit.shape.rate.safeParse(Number(text)))
    const burst = this.skip('burst') ? this.argument((text) => AclLimit.shape.burst.safeParse(Number(text))) : 0
    return { rate, burst }
  }

  /** `redirect 302 "/elsewhere"` */
  private redirect(): NonNullable<AclAction['redirect']> {
    const { statusCode, target } = AclRedirect.shape
    return {
      statusCode: this.argument((text) => statusCode.safeParse(Number(text))),
      target: this.argument((text) => target.safeParse(text)),
    }
  }

  /** `header response "X-A" "value"` */
  private header(): NonNullable<AclAction['header']> {
    const type = HeaderSide.options.find((side) => this.skip(side))
    if (!type) throw new AclError(this.next, 'wrongArgument')
    const { key, value } = AclHeader.shape
    return {
      type,
      key: this.argument((text) => key.safeParse(text)),
      value: this.argument((text) => value.safeParse(text)),
    }
  }

  /** `skip {waf, bodyRules}` */
  private skipped(): AclAction['skip'] {
    const before = this.at + 1
    const guards = this.list() as AclAction['skip']
    const words = this.tokens.slice(before, this.at).filter(({ kind }) => kind !== 'sign')
    const wrong = words.find(
      ({ text }, at) =>
        !aclSkippable.some((guard) => guard === text) || words.findIndex((one) => one.text === text) < at,
    )
    if (wrong) throw new AclError(wrong, 'wrongArgument')
    return guards
  }

  /** A value that its schema accepts. */
  private argument<T>(read: (text: string) => { success: true; data: T } | { success: false }): T {
    const { kind, text } = this.next
    const result = kind === 'word' || kind === 'string' ? read(text) : undefined
    if (!result?.success) throw new AclError(this.next, 'wrongArgument')
    this.at += 1
    return result.data
  }
}
