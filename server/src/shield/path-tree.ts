/** The paths of a document as a tree of segments, which a node walks once per request. */
import type { EdgeShieldNode } from '@breakwater/contract/edge/api-shield-part.ts'
import { DocumentProblem } from './problem.ts'

const nodesMax = 20_000
const segmentsMax = 64

/** A segment: a fixed text, or the texts around a parameter. */
type Segment = string | { before: string; behind: string }

export type Template = { segments: Segment[]; gaps: string[] }

/** Parses `/pets/{id}.json`. A segment with several parameters becomes one unnamed gap. Throws a DocumentProblem. */
export function readTemplate(path: string, where: string): Template {
  const gaps: string[] = []
  if (!path.startsWith('/') || /[?#\\]/.test(path) || path.length > 2048) throw new DocumentProblem('wrongPath', where)
  const segments = path
    .slice(1)
    .split('/')
    .map((text): Segment => {
      const open = text.indexOf('{')
      const close = text.lastIndexOf('}')
      if (open < 0 && close < 0) return decoded(text, where)
      if (open < 0 || close < open) throw new DocumentProblem('wrongPath', where)
      const name = text.slice(open + 1, close)
      if (name === '') throw new DocumentProblem('wrongPath', where)
      gaps.push(/[{}]/.test(name) ? '' : name)
      return { before: decoded(text.slice(0, open), where), behind: decoded(text.slice(close + 1), where) }
    })
  if (segments.length > segmentsMax) throw new DocumentProblem('wrongPath', where)
  return { segments, gaps }
}

/** Nodes compare decoded paths. */
function decoded(text: string, where: string): string {
  if (text.length > 256) throw new DocumentProblem('wrongPath', where)
  try {
    return decodeURIComponent(text)
  } catch {
    throw new DocumentProblem('wrongPath', where)
  }
}

const emptyNode = (): EdgeShieldNode => ({ names: [], to: [], gaps: [], methods: [], operations: [] })

export class PathTree {
  readonly nodes: EdgeShieldNode[] = [emptyNode()]
  /** Keyed by tree node and segment: an index for building only; edge nodes search the lists themselves. */
  readonly #named = new Map<string, number>()

  /** Throws a DocumentProblem if another path has the same form. */
  add(segments: readonly Segment[], method: string, operation: number, where: string): void {
    let at = 0
    for (const segment of segments) at = typeof segment === 'string' ? this.#name(at, segment) : this.#gap(at, segment)
    const { methods, operations } = this.nodes[at]!
    if (methods.includes(method)) throw new DocumentProblem('duplicatePath', where)
    methods.push(method)
    operations.push(operation)
  }

  #make(): number {
    if (this.nodes.length >= nodesMax) throw new DocumentProblem('tooMuch')
    return this.nodes.push(emptyNode()) - 1
  }

  #name(at: number, name: string): number {
    const key = `${at} ${name}`
    const before = this.#named.get(key)
    if (before !== undefined) return before
    const made = this.#make()
    this.#named.set(key, made)
    const { names, to } = this.nodes[at]!
    names.push(name)
    to.push(made)
    return made
  }

  /** More specific gaps come first. */
  #gap(at: number, { before, behind }: { before: string; behind: string }): number {
    const { gaps } = this.nodes[at]!
    const same = gaps.find((gap) => gap.before === before && gap.behind === behind)
    if (same) return same.to
    if (gaps.length >= 100) throw new DocumentProblem('tooMuch')
    const to = this.#make()
    gaps.push({ before, behind, to })
    gaps.sort((a, b) => b.before.length + b.behind.length - a.before.length - a.behind.length)
    return to
  }
}
