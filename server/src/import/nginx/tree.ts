/**
 * nginx's grammar: words, quotes, semicolons and braces are parsed into a tree of directives. Nothing is interpreted.
 */
import { type Place, SourceError } from '../draft.ts'

export type Directive = Place & { name: string; args: string[]; block?: Directive[] }

/** The files in the output of `nginx -T`, by name; a text without its headings is one file. */
export type NginxFiles = { root: Directive[]; byName: ReadonlyMap<string, Directive[]> }

const depthMax = 20
const directivesMax = 200_000
const argsMax = 5000
const heading = /^# configuration file (\S+):$/

/** Throws a SourceError at an unterminated quote, an unbalanced brace, or too deep nesting. */
export function readTree(text: string): NginxFiles {
  return new Reader(text).read()
}

class Reader {
  private readonly text: string
  private at = 0
  private line = 1
  private lineStart = 0
  private count = 0

  constructor(text: string) {
    this.text = text
  }

  read(): NginxFiles {
    const byName = new Map<string, Directive[]>()
    const first: Directive[] = []
    let root = first
    const stack: Directive[][] = [first]
    let words: string[] = []
    let start: Place | undefined
    const begin = () => {
      start ??= this.place()
    }
    while (this.at < this.text.length) {
      const char = this.text[this.at]!
      if (char === '\n') this.newLine()
      else if (/\s/.test(char)) this.at += 1
      else if (char === '#') {
        const name = heading.exec(this.lineText())?.[1]
        this.skipLine()
        if (name !== undefined && stack.length === 1 && words.length === 0) {
          const directives: Directive[] = []
          // A file that was printed once for each include is kept once.
          if (!byName.has(name)) byName.set(name, directives)
          if (byName.size === 1 && first.length === 0) root = directives
          stack[0] = directives
        }
      } else if (char === ';' || char === '{') {
        begin()
        this.at += 1
        const [name = '', ...args] = words
        const directive: Directive = { ...start!, name: name.toLowerCase(), args }
        if (words.length === 0) throw new SourceError(start!)
        stack.at(-1)!.push(directive)
        this.count += 1
        if (this.count > directivesMax) throw new SourceError(start!)
        if (char === '{') {
          if (name.endsWith('_by_lua_block')) this.skipBlock(start!)
          else {
            directive.block = []
            stack.push(directive.block)
            if (stack.length > depthMax) throw new SourceError(start!)
          }
        }
        words = []
        start = undefined
      } else if (char === '}') {
        if (words.length > 0 || stack.length === 1) throw new SourceError(this.place())
        stack.pop()
        this.at += 1
      } else {
        begin()
        words.push(this.word())
        if (words.length > argsMax) throw new SourceError(start!)
      }
    }
    if (start || stack.length > 1) throw new SourceError(start ?? this.place())
    return { root, byName }
  }

  private place = (): Place => ({ line: this.line, text: this.lineText() })

  private lineText(): string {
    const end = this.text.indexOf('\n', this.lineStart)
    // Only the beginning of a line that may be a megabyte long.
    return this.text.slice(this.lineStart, Math.min(end === -1 ? this.text.length : end, this.lineStart + 400)).trim()
  }

  private newLine(): void {
    this.at += 1
    this.line += 1
    this.lineStart = this.at
  }

  private skipLine(): void {
    const end = this.text.indexOf('\n', this.at)
    this.at = end === -1 ? this.text.length : end
  }

  private word(): string {
    const quote = this.text[this.at]
    return quote === '"' || quote === "'" ? this.quoted(quote) : this.plain()
  }

  private quoted(quote: string): string {
    const start = this.place()
    const parts: string[] = []
    this.at += 1
    for (; this.at < this.text.length; ) {
      const char = this.text[this.at]!
      if (char === quote) {
        this.at += 1
        return parts.join('')
      }
      if (char === '\\' && this.at + 1 < this.text.length) {
        const next = this.text[this.at + 1]!
        // As in nginx: a backslash before a quote or a backslash is removed, any other is kept.
        parts.push(next === quote || next === '\\' ? next : `\\${next}`)
        this.at += 2
        if (next === '\n') {
          this.line += 1
          this.lineStart = this.at
        }
      } else if (char === '\n') {
        parts.push(char)
        this.newLine()
      } else {
        parts.push(char)
        this.at += 1
      }
    }
    throw new SourceError(start)
  }

  private plain(): string {
    const start = this.at
    while (this.at < this.text.length) {
      const char = this.text[this.at]!
      if (char === '\\') this.at += 2
      else if (char === '$' && this.text[this.at + 1] === '{') {
        const end = this.text.indexOf('}', this.at)
        if (end === -1 || end - this.at > 100) throw new SourceError(this.place())
        this.at = end + 1
      } else if (/[\s;{]/.test(char)) break
      else this.at += 1
    }
    return this.text.slice(start, this.at).replace(/\\(["';{} ])/g, '$1')
  }

  /** Skips code in another language, up to its closing brace. */
  private skipBlock(start: Place): void {
    for (let depth = 1; this.at < this.text.length; ) {
      const char = this.text[this.at]!
      if (char === '\n') {
        this.newLine()
        continue
      }
      if (char === '"' || char === "'") {
        this.quoted(char)
        continue
      }
      if (char === '-' && this.text[this.at + 1] === '-') {
        this.skipLine()
        continue
      }
      this.at += 1
      if (char === '{') depth += 1
      if (char === '}') depth -= 1
      if (depth === 0) return
    }
    throw new SourceError(start)
  }
}

/** Replaces `include` with the included files that the text contains; other includes remain directives. */
export function withIncludes({ root, byName }: NginxFiles): Directive[] {
  let left = directivesMax
  const expand = (directives: readonly Directive[], depth: number): Directive[] =>
    directives.flatMap((directive) => {
      left -= 1
      if (left < 0) throw new SourceError(directive)
      if (directive.name === 'include' && depth < 8) {
        const files = filesOf(byName, directive.args[0] ?? '')
        if (files.length > 0) return files.flatMap((file) => expand(file, depth + 1))
      }
      return [directive.block ? { ...directive, block: expand(directive.block, depth) } : directive]
    })
  return expand(root, 0)
}

/**
 * The files that match a pattern, as in a shell: `*` within a folder. Relative paths are relative to the first file's
 * folder.
 */
function filesOf(byName: ReadonlyMap<string, Directive[]>, pattern: string): Directive[][] {
  const folder = [...byName.keys()][0]?.replace(/[^/]*$/, '') ?? ''
  const parts = (pattern.startsWith('/') ? pattern : folder + pattern).split('*').slice(0, 8)
  return [...byName].filter(([name]) => fits(name, parts)).map(([, file]) => file)
}

function fits(name: string, parts: string[]): boolean {
  const [first = '', ...rest] = parts
  if (rest.length === 0) return name === first
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1
    const found = isLast ? name.length - part.length : name.indexOf(part, at)
    if (found < at || !name.endsWith(isLast ? part : '') || name.slice(at, found).includes('/')) return false
    at = found + part.length
  }
  return true
}
