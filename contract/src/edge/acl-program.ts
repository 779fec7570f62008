/**
 * A tree of conditions as a flat program: tests in a row, each with the place where to go on when it holds and when not.
 * It begins with the last test and every jump leads to an earlier one, so it ends whatever it says.
 */

import type { AclAction } from '../modules/acl/actions.ts'
import type { AclCondition, AclTest } from '../modules/acl/condition.ts'
import type { EdgeAcl, EdgeAclTest } from './acl-part.ts'

/** Places that end the program; tests are counted from 1. */
export const [holds, fails] = [-1, 0]

/** `!=` is `=` the other way round, and header names are compared in lower case. */
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
  /** Adds a condition, from its end to its beginning; returns its place. */
  const add = (node: AclCondition, onTrue: number, onFalse: number): number => {
    if ('not' in node) return add(node.not, onFalse, onTrue)
    if ('all' in node) return node.all.reduceRight((next, part) => add(part, next, onFalse), onTrue)
    if ('any' in node) return node.any.reduceRight((next, part) => add(part, onTrue, next), onFalse)
    return tests.push(testOf(node, onTrue, onFalse))
  }
  add(tree, holds, fails)
  return tests
}

/** Nodes of before know headers of the answer alone: of those nothing is said that they do not know. */
const edgeHeaderOf = ({ type, key, value }: NonNullable<AclAction['header']>): NonNullable<EdgeAcl['header']> => ({
  ...{ key, value },
  ...(type === 'request' && { of: type }),
})

/** What nodes get of an action: only what it takes. A rule that was saved before an action was there lacks its field. */
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
