/** References within a document. Nothing is ever fetched: one that leads out of it is refused. */
import { DocumentProblem } from './problem.ts'
import { isTree, own, type Tree } from './read-document.ts'

const stepsMax = 20

/** What stands at a pointer such as `#/components/schemas/Pet`. */
function at(root: Tree, pointer: string, where: string): unknown {
  if (!pointer.startsWith('#')) throw new DocumentProblem('remoteReference', where)
  if (pointer !== '#' && !pointer.startsWith('#/')) throw new DocumentProblem('brokenReference', where)
  let found: unknown = root
  for (const part of pointer.split('/').slice(1)) {
    const name = unescaped(part)
    found = Array.isArray(found) ? found[Number(name)] : isTree(found) ? own(found, name) : undefined
  }
  if (found === undefined) throw new DocumentProblem('brokenReference', where)
  return found
}

function unescaped(part: string): string {
  let text = part
  try {
    text = decodeURIComponent(part)
  } catch {
    // A lone percent sign stands for itself.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

export type Resolved = { value: unknown; where: string }

/** Follows references until something else stands there. Throws a DocumentProblem. */
export function resolve(root: Tree, value: unknown, where: string): Resolved {
  let found: Resolved = { value, where }
  for (let step = 0; isTree(found.value); step++) {
    const target = own(found.value, '$ref')
    if (typeof target !== 'string') break
    if (step === stepsMax) throw new DocumentProblem('endlessReference', where)
    found = { value: at(root, target, found.where), where: target }
  }
  return found
}

/** A name as a part of a pointer. */
export const below = (where: string, name: string | number): string =>
  `${where}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
