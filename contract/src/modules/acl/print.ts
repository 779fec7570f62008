/** Prints a rule in its text form; parsing it returns the same tree. */
import { blockTypes } from '../../fields.ts'
import type { AclAction } from './actions.ts'
import type { AclCondition, AclTest } from './condition.ts'
import { aclField, aclSigns } from './fields.ts'
import type { AclRuleText } from './parse.ts'

/** A longer line is broken before each `and` and `or` of the outermost condition. */
const lineMax = 80

/** A backslash is doubled only where it would escape what follows. */
const quoted = (text: string) => `"${text.replace(/\\(?=["\\]|$)|"/g, (char) => `\\${char}`)}"`

function testText({ field, name, operator, values }: AclTest): string {
  const { kind, isNamed } = aclField(field)
  const subject = isNamed ? `${field}(${quoted(name)})` : field
  const shown = values.map((value) => (kind === 'text' ? quoted(value) : value))
  if (operator === 'exists') return `${subject} exists`
  return `${subject} ${aclSigns[operator]} ${operator === 'in' ? `{${shown.join(', ')}}` : shown[0]}`
}

/** `or` is parenthesised within `and`, both within `not`, and each within its own kind. */
function inner(node: AclCondition, around: 'all' | 'any' | 'not'): string {
  const text = conditionText(node)
  const isJoined = 'all' in node || 'any' in node
  const isOwn = around === 'any' && 'all' in node
  return isJoined && !isOwn ? `(${text})` : text
}

export function conditionText(node: AclCondition, between = ' '): string {
  if ('all' in node) return node.all.map((part) => inner(part, 'all')).join(`${between}and `)
  if ('any' in node) return node.any.map((part) => inner(part, 'any')).join(`${between}or `)
  return 'not' in node ? `not ${inner(node.not, 'not')}` : testText(node)
}

function actionText({ action, blockType, limit, redirect, header, skip }: AclAction): string {
  const mode = Object.entries(blockTypes).find(([, value]) => value === blockType)?.[0]
  if (action === 'challenge') return `challenge ${mode ?? 'shield'}`
  if (limit) return `limit ${limit.rate}${limit.burst > 0 ? ` burst ${limit.burst}` : ''}`
  if (redirect) return `redirect ${redirect.statusCode} ${quoted(redirect.target)}`
  // Headers saved before there was a choice lack the type.
  if (header) return `header ${header.type ?? 'response'} ${quoted(header.key)} ${quoted(header.value)}`
  return action === 'skip' ? `skip {${skip.join(', ')}}` : action
}

export function printAcl(rule: AclRuleText): string {
  const action = actionText(rule)
  const line = `when ${conditionText(rule.conditions)} then ${action}`
  if (line.length <= lineMax) return line
  return `when ${conditionText(rule.conditions, '\n  ')}\nthen ${action}`
}
