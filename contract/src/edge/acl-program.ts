/**
 * A condition tree as a flat program: a list of tests, each with the jumps to take when it holds and when it fails.
 * Evaluation starts with the last test and every jump leads to an earlier one, so it always terminates.
 */

import type { AclAction } from '../modules/acl/actions.ts'
import type { AclCondition, AclTest } from '../modules/acl/condition.ts'
import type { EdgeAcl, EdgeAclTest } from './acl-part.ts'

/** Jump targets that end the program; tests are counted from 1. */
export const [holds, fails] = [-1, 0]

/** `!=` is `=` with its jumps swapped, and header names are compared in lower case. */
function testOf({ field, name, operator, values }: AclTest, onTrue: number, onFalse: number): EdgeAclTest {
  const isTurned = operator === 'ne'
  return {
    field,
    name: field === 'header' ? name.toLowerCase() : name,
    operator: isTurned ? 'eq' : operator,
    values,
    onTrue: isTurned ? onFalse : onTrue,
    onFalse: isTurned ? onTrue : onFalse,
  }
}

export function programOf(tree: AclCondition): EdgeAclTest[] {
  const tests: EdgeAclTest[] = []
  /** Adds a condition, last part first; returns its place. */
  const add = (node: AclCondition, onTrue: number, onFalse: number): number => {
    if ('not' in node) return add(node.not, onFalse, onTrue)
    if ('all' in node) return node.all.reduceRight((next, part) => add(part, next, onFalse), onTrue)
    if ('any' in node) return node.any.reduceRight((next, part) => add(part, onTrue, next), onFalse)
    return tests.push(testOf(node, onTrue, onFalse))
  }
  add(tree, holds, fails)
  return tests
}

/** Older nodes know response headers only and would reject `of`, so it is sent for request headers alone. */
const edgeHeaderOf = ({ type, key, value }: NonNullable<AclAction['header']>): NonNullable<EdgeAcl['header']> => ({
  ...{ key, value },
  ...(type === 'request' && { of: type }),
})

/** What nodes get of an action: only the fields that it uses. A rule saved before an action existed lacks its field. */
export function edgeActionOf({
  action,
  blockType,
  limit,
  redirect,
  header,
  skip = [],
}: Pick<AclAction, 'action' | 'blockType'> & Partial<AclAction>): Pick<
  EdgeAcl,
  'action' | 'blockType' | 'limit' | 'redirect' | 'header' | 'skip'
> {
  return {
    ...{ action, blockType },
    ...(limit && { limit }),
    ...(redirect && { redirect }),
    ...(header && { header: edgeHeaderOf(header) }),
    ...(skip.length > 0 && { skip }),
  }
}
