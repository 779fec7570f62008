/**
 * Parses untrusted text into a tree of plain values. YAML aliases are rejected, because a few lines of them can expand
 * to gigabytes; tags for anything but plain values are unknown.
 */
import { CORE_SCHEMA, load, YAMLException } from 'js-yaml'
import { DocumentProblem } from './problem.ts'

export type Tree = Record<string, unknown>

/** Deeper than any document written by a person or a tool. */
const depthMax = 100

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a name, whatever the name is: `constructor` and `__proto__` are names like any others. */
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
    return load(text, { schema: CORE_SCHEMA, maxDepth: depthMax, maxAliases: 0 })
  } catch (problem) {
    if (!(problem instanceof YAMLException)) throw new DocumentProblem('syntax')
    const { reason, mark } = problem
    const word = reason.includes('maxDepth') ? 'tooDeep' : reason.includes('maxAliases') ? 'aliases' : 'syntax'
    throw new DocumentProblem(word, mark ? String(mark.line + 1) : '')
  }
}

function requireShallow(root: unknown): void {
  let level = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) throw new DocumentProblem('tooDeep')
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
}
