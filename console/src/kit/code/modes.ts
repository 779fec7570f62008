/** The languages of the code field, each loaded when a field of its kind is first shown. */
import { StreamLanguage, type StreamParser, type StringStream } from '@codemirror/language'
import { tags } from '@lezer/highlight'

export type CodeMode = 'nginx' | 'json' | 'html' | 'yaml' | 'expression'

export async function languageOf(mode: CodeMode): Promise<StreamLanguage<unknown>> {
  const parser = await parserOf(mode)
  // The parser tags an object key as string and property at once; only the first has a tag of its own.
  return StreamLanguage.define({ ...parser, tokenTable: { property: tags.propertyName } })
}

async function parserOf(mode: CodeMode): Promise<StreamParser<unknown>> {
  if (mode === 'nginx') return (await import('@codemirror/legacy-modes/mode/nginx')).nginx
  if (mode === 'json') return (await import('@codemirror/legacy-modes/mode/javascript')).json
  if (mode === 'html') return (await import('@codemirror/legacy-modes/mode/xml')).html
  if (mode === 'yaml') return (await import('@codemirror/legacy-modes/mode/yaml')).yaml
  return { token: expressionToken }
}

const words = new Set([
  'and',
  'or',
  'not',
  'in',
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'contains',
  'matches',
  'startsWith',
  'endsWith',
  'exists',
  'when',
  'then',
  'block',
  'allow',
  'challenge',
  'limit',
  'burst',
  'redirect',
  'response',
  'skip',
  'true',
  'false',
])

/** One token of an expression: `path matches "^/login" and country in {"DE" "FR"}`. */
export function expressionToken(stream: StringStream): string | null {
  if (stream.eatSpace()) return null
  if (stream.match(/^#.*/)) return 'comment'
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
  if (stream.match(/^\d[\d.:/]*/)) return 'number'
  if (stream.match(/^[A-Za-z_][\w.]*/)) return words.has(stream.current()) ? 'keyword' : 'variableName'
  if (stream.match(/^(?:[=!<>~]=?|&&|\|\|)/)) return 'operator'
  stream.next()
  return null
}
