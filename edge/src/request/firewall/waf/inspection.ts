/** One request as rules see it: its collections, made when the first rule asks, and what rules have set. */
import type { WafCollection, WafTarget } from '@breakwater/contract/edge/waf-rules.ts'
import type { Pair, WafFacts } from '../../lib/waf-tools.ts'
import { formDecoded, numberOf } from './bytes.ts'
import { nothingParsed, type Parsed, takeJson, takeMultipart, takeXml } from './documents.ts'
import { takeCookies, takeForm, type Value } from './form.ts'
import type { Memo } from './transforms.ts'

/** What came. */
export type Facts = WafFacts & {
  /** Absent where there is none, or none that is looked at. */
  body: string | undefined
  decode: (this: void, text: string) => unknown
  /** Of the answer, where rules are asked about that. */
  response?: { status: number; headers: Pair[]; body: string }
}

/** The most of what a request may hold before it counts as too much to look at. */
export const valuesMax = 1000
const depthMax = 20

export type BodyKind = 'form' | 'json' | 'multipart' | 'xml' | 'text'

/** How a body is read by its type; nothing for one that is not looked at. */
export function bodyKindOf(contentType: string | undefined): BodyKind | undefined {
  if (contentType === undefined) return 'text'
  const given = contentType.toLowerCase()
  const semicolon = given.indexOf(';')
  const type = (semicolon < 0 ? given : given.substring(0, semicolon)).trim()
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type === 'multipart/form-data' || type === 'multipart/related') return 'multipart'
  if (type === 'application/json' || type.endsWith('+json')) return 'json'
  if (type === 'text/xml' || type === 'application/xml' || type.endsWith('+xml')) return 'xml'
  return type.startsWith('text/') ? 'text' : undefined
}

export class Inspection {
  readonly facts: Facts
  readonly memo: Memo = {}
  /** `TX`, by lower-case name. */
  readonly set: Record<string, string> = {}
  readonly setNames: string[] = []
  /** What the last condition found, and all that the rule's did. */
  matched: Value[] = []
  readonly parsed: Parsed
  private readonly kind: BodyKind | undefined
  private readonly query: string
  private readonly path: string
  private readonly made: Partial<Record<WafCollection, Value[]>> = {}
  private readonly ofQuery: Pair[] = []
  private readonly cookies: Pair[] = []

  constructor(facts: Facts) {
    this.facts = facts
    const { target, headers, body } = facts
    const mark = target.indexOf('?')
    this.query = mark < 0 ? '' : target.substring(mark + 1)
    this.path = formDecodedPath(mark < 0 ? target : target.substring(0, mark))
    takeForm(this.ofQuery, this.query, valuesMax)
    for (const { name, value } of headers)
      if (name.toLowerCase() === 'cookie') takeCookies(this.cookies, value, valuesMax)
    this.parsed = nothingParsed()
    const type = this.header('content-type')
    this.kind = bodyKindOf(type)
    if (body === undefined || body === '') return
    if (this.kind === 'form') takeForm(this.parsed.args, body, valuesMax)
    else if (this.kind === 'json') takeJson(this.parsed, facts.decode(body), valuesMax, depthMax)
    else if (this.kind === 'multipart') takeMultipart(this.parsed, type ?? '', body, valuesMax)
    else if (this.kind === 'xml') takeXml(this.parsed, body, valuesMax)
  }

  /** More than is looked at, or a body that is not what its type says. */
  get excess(): 'values' | 'malformed' | undefined {
    const { args, files } = this.parsed
    if (this.ofQuery.length + args.length + files.length + this.cookies.length > valuesMax) return 'values'
    return this.parsed.isBroken ? 'malformed' : undefined
  }

  /** Documents are looked at by what is in them, and not as a whole. */
  private get isParsed(): boolean {
    return this.kind !== 'form' && this.kind !== 'text'
  }

  header(name: string): string | undefined {
    for (const given of this.facts.headers) if (given.name.toLowerCase() === name) return given.value
    return undefined
  }

  /** Sets a name of `TX`. */
  setTo(name: string, value: string): void {
    const key = name.toLowerCase()
    if (this.set[key] === undefined) this.setNames.push(key)
    this.set[key] = value
  }

  /** Sets as a rule says it: `+1` is added. */
  change(name: string, said: string): void {
    const before = this.set[name.toLowerCase()] ?? '0'
    this.setTo(name, said.startsWith('+') ? `${numberOf(before) + numberOf(said.substring(1))}` : said)
  }

  /** All of a collection, `TX` and what was matched left aside. */
  collection(from: WafCollection): Value[] {
    const before = this.made[from]
    if (before !== undefined) return before
    const values = this.make(from)
    this.made[from] = values
    return values
  }

  private make(from: WafCollection): Value[] {
    const { facts, parsed, query, path } = this
    const one = (value: string): Value[] => [{ name: from, value }]
    switch (from) {
      case 'ARGS':
        return [...named('ARGS', this.ofQuery), ...named('ARGS', parsed.args)]
      case 'ARGS_NAMES':
        return [...names('ARGS_NAMES', this.ofQuery), ...names('ARGS_NAMES', parsed.args)]
      case 'ARGS_GET':
        return named(from, this.ofQuery)
      case 'ARGS_GET_NAMES':
        return names(from, this.ofQuery)
      case 'ARGS_COMBINED_SIZE':
        return one(`${bytesOf(this.ofQuery) + bytesOf(parsed.args)}`)
      case 'FILES':
        return named(from, parsed.files)
      case 'FILES_NAMES':
        return names(from, parsed.files)
      case 'FILES_COMBINED_SIZE':
        return one(`${parsed.fileBytes}`)
      case 'MULTIPART_PART_HEADERS':
        return named(from, parsed.partHeaders)
      case 'QUERY_STRING':
        return one(query)
      case 'REQBODY_PROCESSOR':
        return one(facts.hasBody ? (processors[this.kind ?? ''] ?? '') : '')
      case 'REQUEST_BASENAME':
        return one(path.substring(lastSlash(path) + 1))
      case 'REQUEST_BODY':
        return facts.body === undefined || facts.body === '' || this.isParsed ? [] : one(facts.body)
      case 'REQUEST_BODY_LENGTH':
        return one(`${facts.body?.length ?? 0}`)
      case 'REQUEST_COOKIES':
        return named(from, this.cookies)
      case 'REQUEST_COOKIES_NAMES':
        return names(from, this.cookies)
      case 'REQUEST_FILENAME':
        return one(path)
      case 'REQUEST_HEADERS':
        return named(from, facts.headers)
      case 'REQUEST_HEADERS_NAMES':
        return names(from, facts.headers)
      case 'REQUEST_LINE':
        return one(`${facts.method} ${facts.target} ${facts.protocol}`)
      case 'REQUEST_METHOD':
        return one(facts.method)
      case 'REQUEST_PROTOCOL':
        return one(facts.protocol)
      case 'REQUEST_URI':
      case 'REQUEST_URI_RAW':
        return one(facts.target)
      case 'RESPONSE_BODY':
        return facts.response === undefined ? [] : one(facts.response.body)
      case 'RESPONSE_HEADERS':
        return named(from, facts.response?.headers ?? [])
      case 'RESPONSE_STATUS':
        return facts.response === undefined ? [] : one(`${facts.response.status}`)
      case 'XML':
        return [
          { name: 'XML:texts', value: parsed.texts.join(' ') },
          ...parsed.attributes.map((value) => ({ name: 'XML:attributes', value })),
        ].filter(({ value }) => value !== '')
      default:
        return []
    }
  }

  /** The values of targets that change with every rule. */
  changing(from: WafTarget['from']): Value[] | undefined {
    if (from === 'TX') return this.setNames.map((name) => ({ name: `TX:${name}`, value: this.set[name]! }))
    if (from === 'MATCHED_VARS') return this.matched
    if (from === 'MATCHED_VAR') return this.matched.length === 0 ? [] : [this.matched[this.matched.length - 1]!]
    if (from === 'MATCHED_VARS_NAMES') return this.matched.map(({ name }) => ({ name, value: name }))
    return undefined
  }
}

/** What ModSecurity calls the reading of a body. */
const processors: Record<string, string> = { form: 'URLENCODED', multipart: 'MULTIPART', json: 'JSON', xml: 'XML' }

const named = (from: string, given: readonly Pair[]): Value[] =>
  given.map(({ name, value }) => ({ name: `${from}:${name}`, value }))

const names = (from: string, given: readonly Pair[]): Value[] =>
  given.map(({ name }) => ({ name: `${from}:${name}`, value: name }))

function bytesOf(given: readonly Pair[]): number {
  let bytes = 0
  for (const { name, value } of given) bytes += name.length + value.length
  return bytes
}

function lastSlash(path: string): number {
  let last = -1
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) last = at
  return last
}

/** In a path, a plus is a plus. */
const formDecodedPath = (raw: string): string => (raw.indexOf('%') < 0 ? raw : formDecoded(raw.replaceAll('+', '%2B')))
