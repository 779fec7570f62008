/**
 * Text of somebody else as a tree of plain values. Aliases of YAML are refused, since a few lines of them stand for
 * gigabytes; tags that make anything but plain values are not known.
 */
import { LineCounter, parseDocument, visit } from 'yaml'
import { DocumentProblem } from './problem.ts'

export type Tree = Record<string, unknown>

/** Deeper than any document that a person or a tool writes. */
const depthMax = 100

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A name's value, whatever the name is: `constructor` and `__proto__` are names like others. */
export const own = (tree: Tree, name: string): unknown => (Object.hasOwn(tree, name) ? tree[name] : undefined)

/** Throws a DocumentProblem. */
export function readDocument(text: string): Tree {
  const value = text.trimStart().startsWith('{') ? (fromJson(text) ?? fromYaml(text)) : fromYaml(text)
  if (!isTree(value)) throw new DocumentProblem('notOpenApi')
  requireShallow(value)
  return value
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fromYaml(text: string): unknown {
  try {
    const lineCounter = new LineCounter()
    const document = parseDocument(text, { lineCounter, schema: 'core', merge: false, resolveKnownTags: false })
    const [error] = document.errors
    if (error) throw new DocumentProblem('syntax', String(lineCounter.linePos(error.pos[0]).line))
    visit(document, {
      Alias(_key, node) {
        throw new DocumentProblem('aliases', String(lineCounter.linePos(node.range?.[0] ?? 0).line))
      },
    })
    return document.toJS({ maxAliasCount: 0 })
  } catch (problem) {
    // What is nested too deeply overflows the reader's stack.
    if (problem instanceof RangeError) throw new DocumentProblem('tooDeep')
    if (problem instanceof DocumentProblem) throw problem
    throw new DocumentProblem('syntax')
  }
}

function requireShallow(root: unknown): void {
  let level = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) throw new DocumentProblem('tooDeep')
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
}
