/** References within a document. Nothing is ever fetched: a reference out of the document is rejected. */
import { DocumentProblem } from './problem.ts'
import { isTree, own, type Tree } from './read-document.ts'

const stepsMax = 20

/** The value at a pointer such as `#/components/schemas/Pet`. */
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
    // A lone percent sign is taken literally.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

export type Resolved = { value: unknown; where: string }

/** Follows references to the first value that is not one. Throws a DocumentProblem. */
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

/** Appends a name to a JSON pointer. */
export const below = (where: string, name: string | number): string =>
  `${where}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
