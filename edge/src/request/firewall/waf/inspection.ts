/** One request as rules see it: its collections, made when the first rule asks, and what rules have set. */

import type { WafCollection, WafTarget } from '@breakwater/contract/edge/waf-rules.ts'
import { trimmed } from '../../lib/trimmed.ts'
import type { Pair, WafFacts } from '../../lib/waf-tools.ts'
import { nothingParsed, type Parsed, takeJson, takeMultipart, takeXml } from './documents.ts'
import { type FormDecoder, takeCookies, takeForm, type Value } from './form.ts'
import type { Memo } from './memo.ts'
import { numberOf } from './number.ts'
import {
  addNamed,
  addNames,
  basename,
  bytesOf,
  headersOf,
  named,
  names,
  namesOf,
  ofDocument,
  one,
  setOf,
} from './values.ts'

/** What came. */
export type Facts = WafFacts & {
  /** Absent where there is none, or none that is looked at. */
  body: string | undefined
  decode: (this: void, text: string) => unknown
  /** Of the answer, where rules are asked about that. */
  response?: { status: number; headers: Pair[]; body: string }
  formDecoded: FormDecoder
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
  const type = trimmed(semicolon < 0 ? given : given.substring(0, semicolon))
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type === 'multipart/form-data' || type === 'multipart/related') return 'multipart'
  if (type === 'application/json' || type.endsWith('+json')) return 'json'
  if (type === 'text/xml' || type === 'application/xml' || type.endsWith('+xml')) return 'xml'
  return type.startsWith('text/') ? 'text' : undefined
}

/** Shared, as nobody writes to it. */
const noBody = nothingParsed()
/** What `Content-Encoding` says of a body that is as it looks. */
const plain = 'identity'

export class Inspection {
  readonly facts: Facts
  readonly memo: Memo = {}
  /** `TX`, by lower-case name. */
  readonly set: Record<string, string> = {}
  readonly setNames: string[] = []
  /** What the last condition found, and all that the rule's did. */
  matched: Value[] = []
  /** Of rules that take something from others, those that matched. */
  readonly controls: Record<number, boolean> = {}
  readonly parsed: Parsed
  /** The names of the headers, lower case. */
  readonly lowerNames: string[] = []
  private readonly kind: BodyKind | undefined
  /** Whether the body is packed, or two types are said of it: what the origin reads in it is not what it looks like here. */
  private readonly isOpaque: boolean
  readonly query: string
  private readonly made: Partial<Record<WafCollection, Value[]>> = {}
  private madeQuery: Pair[] | undefined
  private madeCookies: Pair[] | undefined

  constructor(facts: Facts) {
    this.facts = facts
    const { target, headerNames, body } = facts
    for (const name of headerNames) this.lowerNames.push(name.toLowerCase())
    const mark = target.indexOf('?')
    this.query = mark < 0 ? '' : target.substring(mark + 1)
    const type = this.header('content-type')
    this.kind = bodyKindOf(type)
    this.isOpaque =
      this.hasBody() && ((this.header('content-encoding') ?? plain) !== plain || this.headerCount('content-type') > 1)
    if (!this.hasBody() || this.isOpaque) {
      this.parsed = noBody
      return
    }
    this.parsed = nothingParsed()
    if (this.kind === 'form') takeForm(this.parsed.args, body!, valuesMax, facts.formDecoded)
    else if (this.kind === 'json') takeJson(this.parsed, facts.decode(body!), valuesMax, depthMax)
    else if (this.kind === 'multipart') takeMultipart(this.parsed, type ?? '', body!, valuesMax)
    else if (this.kind === 'xml') takeXml(this.parsed, body!, valuesMax)
  }

  hasBody(): boolean {
    return this.facts.body !== undefined && this.facts.body !== ''
  }

  /** More than is looked at, or a body that is not what its type says, or says what it is in a way that origins read differently. */
  excess(): 'values' | 'malformed' | 'opaque' | undefined {
    if (this.isOpaque) return 'opaque'
    const { args, files, isBroken } = this.parsed
    const ofBody = args.length + files.length
    // Each value takes a byte of its own at least: few bytes are not counted.
    if (ofBody + this.query.length + this.cookieBytes() > valuesMax)
      if (ofBody + this.ofQuery().length + this.cookies().length > valuesMax) return 'values'
    return isBroken ? 'malformed' : undefined
  }

  /** The arguments of the query. */
  ofQuery(): Pair[] {
    if (this.madeQuery === undefined) {
      this.madeQuery = []
      takeForm(this.madeQuery, this.query, valuesMax, this.facts.formDecoded)
    }
    return this.madeQuery
  }

  private cookies(): Pair[] {
    if (this.madeCookies !== undefined) return this.madeCookies
    this.madeCookies = []
    const { headerValues } = this.facts
    for (let at = 0; at < headerValues.length; at++)
      if (this.lowerNames[at] === 'cookie') takeCookies(this.madeCookies, headerValues[at]!, valuesMax)
    return this.madeCookies
  }

  private cookieBytes(): number {
    let bytes = 0
    const { headerValues } = this.facts
    for (let at = 0; at < headerValues.length; at++)
      if (this.lowerNames[at] === 'cookie') bytes += headerValues[at]!.length
    return bytes
  }

  /** JSON and multipart bodies are looked at by what is in them, and not as a whole; of XML the names of elements are in nothing else. */
  private isParsed(): boolean {
    return this.kind === 'json' || this.kind === 'multipart' || this.kind === undefined
  }

  /** The body as a whole, where rules look at it so. */
  wholeBody(): string | undefined {
    return this.hasBody() && !this.isParsed() ? this.facts.body : undefined
  }

  /** Whether values of the body may be in other collections than the arguments. */
  hasParts(): boolean {
    return this.kind === 'multipart' || this.kind === 'xml'
  }

  /** The first header of a name, which is lower case. */
  header(name: string): string | undefined {
    const at = this.lowerNames.indexOf(name)
    return at < 0 ? undefined : this.facts.headerValues[at]
  }

  /** The first argument of a name, which is lower case. */
  argument(name: string): string | undefined {
    for (const one of this.ofQuery()) if (one.name.toLowerCase() === name) return one.value
    for (const one of this.parsed.args) if (one.name.toLowerCase() === name) return one.value
    return undefined
  }

  /** How many headers have a name, which is lower case. */
  headerCount(name: string): number {
    let count = 0
    for (const lower of this.lowerNames) if (lower === name) count++
    return count
  }

  /** The path, decoded. */
  path(): string {
    const { target } = this.facts
    const mark = target.indexOf('?')
    const raw = mark < 0 ? target : target.substring(0, mark)
    // In a path, a plus is a plus.
    return raw.indexOf('%') < 0 ? raw : this.facts.formDecoded(raw.replaceAll('+', '%2B'))
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
    const { facts, parsed, query } = this
    switch (from) {
      case 'ARGS':
        return addNamed(named(from, this.ofQuery()), from, parsed.args)
      case 'ARGS_NAMES':
        return addNames(names(from, this.ofQuery()), from, parsed.args)
      case 'ARGS_GET':
        return named(from, this.ofQuery())
      case 'ARGS_GET_NAMES':
        return names(from, this.ofQuery())
      case 'ARGS_COMBINED_SIZE':
        return one(from, `${bytesOf(this.ofQuery()) + bytesOf(parsed.args)}`)
      case 'FILES':
        return named(from, parsed.files)
      case 'FILES_NAMES':
        return names(from, parsed.files)
      case 'FILES_COMBINED_SIZE':
        return one(from, `${parsed.fileBytes}`)
      case 'MULTIPART_PART_HEADERS':
        return named(from, parsed.partHeaders)
      case 'QUERY_STRING':
        return one(from, query)
      case 'REQBODY_PROCESSOR':
        return one(from, processors[this.kind ?? ''] ?? '')
      case 'REQUEST_BASENAME':
        return one(from, basename(this.path()))
      case 'REQUEST_BODY':
        return this.wholeBody() === undefined ? [] : one(from, facts.body!)
      case 'REQUEST_BODY_LENGTH':
        return one(from, `${facts.body === undefined ? 0 : facts.body.length}`)
      case 'REQUEST_COOKIES':
        return named(from, this.cookies())
      case 'REQUEST_COOKIES_NAMES':
        return names(from, this.cookies())
      case 'REQUEST_FILENAME':
        return one(from, this.path())
      case 'REQUEST_HEADERS':
        return headersOf(from, facts.headerNames, facts.headerValues)
      case 'REQUEST_HEADERS_NAMES':
        return headersOf(from, facts.headerNames, facts.headerNames)
      case 'REQUEST_LINE':
        return one(from, `${facts.method} ${facts.target} ${facts.protocol}`)
      case 'REQUEST_METHOD':
        return one(from, facts.method)
      case 'REQUEST_PROTOCOL':
        return one(from, facts.protocol)
      case 'REQUEST_URI':
      case 'REQUEST_URI_RAW':
        return one(from, facts.target)
      case 'RESPONSE_BODY':
        return facts.response === undefined ? [] : one(from, facts.response.body)
      case 'RESPONSE_HEADERS':
        return named(from, facts.response?.headers ?? [])
      case 'RESPONSE_STATUS':
        return facts.response === undefined ? [] : one(from, `${facts.response.status}`)
      case 'XML':
        return ofDocument(parsed)
      default:
        return []
    }
  }

  /** Whether one of these rules matched. */
  hasMatched(rules: readonly number[]): boolean {
    for (const rule of rules) if (this.controls[rule] === true) return true
    return false
  }

  /** The values of targets that change with every rule. */
  changing(from: WafTarget['from']): Value[] | undefined {
    if (from === 'TX') return setOf(this.setNames, this.set)
    if (from === 'MATCHED_VARS') return this.matched
    if (from === 'MATCHED_VAR') return this.matched.length === 0 ? [] : [this.matched[this.matched.length - 1]!]
    if (from === 'MATCHED_VARS_NAMES') return namesOf(this.matched)
    return undefined
  }
}

/** What ModSecurity calls the reading of a body. */
const processors: Record<string, string> = { form: 'URLENCODED', multipart: 'MULTIPART', json: 'JSON', xml: 'XML' }
