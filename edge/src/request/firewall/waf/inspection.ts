/** One request as rules see it: its collections, built on first use, and the variables that rules set. */

import type { WafCollection, WafTarget } from '@breakwater/contract/edge/waf-rules.ts'
import { trimmed } from '../../lib/trimmed.ts'
import type { Excess, Pair, Sent } from '../../lib/waf-tools.ts'
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

/** The request data to inspect. */
export type Facts = Sent & {
  decode: (this: void, text: string) => unknown
  /** The origin's answer, if rules for answers are applied. */
  response?: { status: number; headers: Pair[]; body: string }
  formDecoded: FormDecoder
}

/** The largest number of values a request may have before it exceeds what is inspected. */
export const valuesMax = 1000
const depthMax = 20

export type BodyKind = 'form' | 'json' | 'multipart' | 'xml' | 'text'

/** How a body is parsed, by its type. Returns undefined if it is not inspected. */
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

/** Shared, because nobody modifies it. */
const noBody = nothingParsed()
/** The `Content-Encoding` of a body without encoding. */
const plain = 'identity'

export class Inspection {
  readonly facts: Facts
  readonly memo: Memo = {}
  /** `TX`, by lower-case name. */
  readonly set: Record<string, string> = {}
  readonly setNames: string[] = []
  /** The values that the last condition matched: all are `MATCHED_VARS`, the last one is `MATCHED_VAR`. */
  matched: Value[] = []
  /** The rules that matched among those that restrict others. */
  readonly controls: Record<number, boolean> = {}
  readonly parsed: Parsed
  /** The names of the headers, lower case. */
  readonly lowerNames: string[] = []
  private readonly kind: BodyKind | undefined
  /** Whether the body is encoded or declares two types: the origin then sees something else in it than we do. */
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

  /** Why a request cannot be fully inspected: too many values, or a malformed or ambiguous body. */
  excess(): Excess | undefined {
    if (this.isOpaque) return 'opaque'
    const { args, files, isBroken } = this.parsed
    const ofBody = args.length + files.length
    // Each value takes at least one byte, so small requests need no counting.
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

  /** JSON and multipart bodies are inspected by value, not as a whole; XML is, for the names of its elements. */
  private isParsed(): boolean {
    return this.kind === 'json' || this.kind === 'multipart' || this.kind === undefined
  }

  /** The body as a whole, if rules inspect it that way. */
  wholeBody(): string | undefined {
    return this.hasBody() && !this.isParsed() ? this.facts.body : undefined
  }

  /** Whether the body may have values in collections other than the arguments. */
  hasParts(): boolean {
    return this.kind === 'multipart' || this.kind === 'xml'
  }

  /** The first header of a name, given in lower case. */
  header(name: string): string | undefined {
    const at = this.lowerNames.indexOf(name)
    return at < 0 ? undefined : this.facts.headerValues[at]
  }

  /** The first argument of a name, given in lower case. */
  argument(name: string): string | undefined {
    for (const one of this.ofQuery()) if (one.name.toLowerCase() === name) return one.value
    for (const one of this.parsed.args) if (one.name.toLowerCase() === name) return one.value
    return undefined
  }

  /** The number of headers with a name, given in lower case. */
  headerCount(name: string): number {
    let count = 0
    for (const lower of this.lowerNames) if (lower === name) count++
    return count
  }

  /** The decoded path. */
  path(): string {
    const { target } = this.facts
    const mark = target.indexOf('?')
    const raw = mark < 0 ? target : target.substring(0, mark)
    // In a path, a plus is literal.
    return raw.indexOf('%') < 0 ? raw : this.facts.formDecoded(raw.replaceAll('+', '%2B'))
  }

  /** Sets a variable in `TX`. */
  setTo(name: string, value: string): void {
    const key = name.toLowerCase()
    if (this.set[key] === undefined) this.setNames.push(key)
    this.set[key] = value
  }

  /** Sets a variable as a rule specifies: `+1` is added. */
  change(name: string, said: string): void {
    const before = this.set[name.toLowerCase()] ?? '0'
    this.setTo(name, said.startsWith('+') ? `${numberOf(before) + numberOf(said.substring(1))}` : said)
  }

  /** All values of a collection, except `TX` and the matched variables. */
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

/** ModSecurity's names for the body processors. */
const processors: Record<string, string> = { form: 'URLENCODED', multipart: 'MULTIPART', json: 'JSON', xml: 'XML' }
