/** Finds the document path that a request matches: segment by segment, more specific ones first. */
import type { ShieldNode } from './tables.ts'

/** The texts in the gaps (parameters) of a path, in order. */
export type GapTexts = string[]

/**
 * The node at which the rest of a path, beginning at `from`, ends; −1 if the document has no such path. Each node is
 * visited at most once, so the document bounds the time.
 */
export function findPath(
  nodes: readonly ShieldNode[],
  at: number,
  path: string,
  from: number,
  texts: GapTexts,
  gaps: number,
): number {
  const slash = path.indexOf('/', from)
  const segment = slash < 0 ? path.substring(from) : path.substring(from, slash)
  const node = nodes[at]!
  const named = node.names[segment]
  if (named !== undefined) {
    const end = goOn(nodes, named, path, slash, texts, gaps)
    if (end >= 0) return end
  }
  if (node.gaps === undefined) return -1
  for (const gap of node.gaps) {
    const length = segment.length - gap.before.length - gap.behind.length
    if (length <= 0 || !segment.startsWith(gap.before) || !segment.endsWith(gap.behind)) continue
    texts[gaps] = segment.substring(gap.before.length, gap.before.length + length)
    const end = goOn(nodes, gap.to, path, slash, texts, gaps + 1)
    if (end >= 0) return end
  }
  return -1
}

function goOn(
  nodes: readonly ShieldNode[],
  at: number,
  path: string,
  slash: number,
  texts: GapTexts,
  gaps: number,
): number {
  if (slash < 0) return nodes[at]!.isEnd ? at : -1
  const end = findPath(nodes, at, path, slash + 1, texts, gaps)
  return end
}
