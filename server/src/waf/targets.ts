/** The variables of a rule: which values it inspects, and which it excludes. */
import { type WafCollection, type WafTarget, wafCollections } from '@breakwater/contract/edge/waf-rules.ts'
import { type Place, SecLangError } from './directives.ts'

const collections = new Set<string>(wafCollections)

/** `ARGS|!REQUEST_COOKIES:/__utm/|&TX:1|XML:/*` */
export function targetsOf(text: string, place: Place): WafTarget[] {
  return splitTargets(text).map((one) => targetOf(one, place))
}

/** An expression may contain a bar. */
function splitTargets(text: string): string[] {
  return text.match(/[^|]*?:\/(?:\\.|[^/\\])+\/(?=\||$)|[^|]+/g) ?? []
}

function targetOf(text: string, place: Place): WafTarget {
  const [, sign = '', name = '', selector] = /^([!&]?)([A-Za-z_]+)(?::(.*))?$/s.exec(text.trim()) ?? []
  const from = name.toUpperCase()
  if (!collections.has(from)) throw new SecLangError(place, `the variable ${text} is not known`)
  return {
    from: from as WafCollection,
    ...selectorOf(from, selector),
    ...(sign === '&' && { count: true }),
    ...(sign === '!' && { except: true }),
  }
}

function selectorOf(from: string, selector: string | undefined): Pick<WafTarget, 'name' | 'pattern'> {
  if (selector === undefined) return {}
  // Of a document only the texts (`/*`) and the attributes (`//@*`) are available.
  if (from === 'XML') return { name: selector === '//@*' ? 'attributes' : 'texts' }
  const quoted = selector.replace(/^'(.*)'$/s, '$1')
  const pattern = /^\/(.*)\/$/s.exec(quoted)
  return pattern ? { pattern: pattern[1]! } : { name: quoted.toLowerCase() }
}
