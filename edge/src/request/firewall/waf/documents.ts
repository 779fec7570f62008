/** Parses structured bodies (JSON, multipart and XML) into their values. */
import { trimmed } from '../../lib/trimmed.ts'
import type { Pair } from '../../lib/waf-tools.ts'
import { xmlDecoded } from './xml-references.ts'

/** The contents of a body. `isBroken`: it is not valid for its type. */
export type Parsed = {
  args: Pair[]
  files: Pair[]
  fileBytes: number
  /** The header lines of parts as they were sent, by the part's name. */
  partHeaders: Pair[]
  /** Texts and attributes of XML. */
  texts: string[]
  attributes: string[]
  isBroken: boolean
}

export const nothingParsed = (): Parsed => ({
  ...{ args: [], files: [], fileBytes: 0, partHeaders: [], texts: [], attributes: [], isBroken: false },
})

/** JSON as arguments: `json.user.name`. Marks it as broken if it exceeds the limits for depth or count. */
export function takeJson(parsed: Parsed, decoded: unknown, max: number, depthMax: number): void {
  if (decoded === undefined) parsed.isBroken = true
  else takeJsonValue(parsed, 'json', decoded, max, depthMax)
}

function takeJsonValue(parsed: Parsed, name: string, value: unknown, max: number, depthLeft: number): void {
  if (depthLeft === 0 || parsed.args.length > max) {
    parsed.isBroken = true
    return
  }
  if (typeof value === 'string') parsed.args.push({ name, value })
  else if (typeof value === 'number' || typeof value === 'boolean') parsed.args.push({ name, value: `${value}` })
  else if (typeof value === 'object' && value !== null) {
    const inner = value as Record<string, unknown>
    for (const key in inner) takeJsonValue(parsed, `${name}.${key}`, inner[key], max, depthLeft - 1)
  }
}

/** A parameter of a header: `name="x"` or `name=x`; '' if it is empty, undefined if it is missing. */
function parameterOf(header: string, wanted: string): string | undefined {
  let from = header.indexOf(';')
  while (from >= 0) {
    let at = from + 1
    while (at < header.length && (header.charAt(at) === ' ' || header.charAt(at) === '\t')) at++
    const equals = header.indexOf('=', at)
    if (equals < 0) return undefined
    const name = trimmed(header.substring(at, equals)).toLowerCase()
    const isQuoted = header.charAt(equals + 1) === '"'
    const end = isQuoted ? header.indexOf('"', equals + 2) : header.indexOf(';', equals + 1)
    const value = header.substring(equals + (isQuoted ? 2 : 1), end < 0 ? header.length : end)
    if (name === wanted) return value
    from = end < 0 ? -1 : header.indexOf(';', end)
  }
  return undefined
}

/** The values and file names of multipart/form-data; file contents are not inspected. */
export function takeMultipart(parsed: Parsed, contentType: string, body: string, max: number): void {
  const boundary = parameterOf(contentType, 'boundary')
  if (boundary === undefined || boundary === '') {
    parsed.isBroken = true
    return
  }
  const line = `--${boundary}`
  if (!body.startsWith(line)) parsed.isBroken = true
  let open = body.indexOf(line)
  let isEnded = false
  while (open >= 0 && parsed.args.length + parsed.files.length <= max) {
    const start = open + line.length
    if (body.startsWith('--', start)) {
      isEnded = true
      break
    }
    const next = body.indexOf(`\n${line}`, start)
    takePart(parsed, body.substring(start, next < 0 ? body.length : next))
    open = next < 0 ? -1 : next + 1
  }
  if (!isEnded) parsed.isBroken = true
}

/** The headers of a part, unfolded. Pieces are joined once: appending line by line would take quadratic time. */
function headersOfPart(head: string): string[] {
  const headers: string[] = []
  let pieces: string[] = []
  for (const given of head.split('\n')) {
    const line = given.endsWith('\r') ? given.substring(0, given.length - 1) : given
    if (line === '') continue
    // A line that begins with whitespace continues the one before.
    const goesOn = line.startsWith(' ') || line.startsWith('\t')
    if (!goesOn && pieces.length > 0) {
      headers.push(pieces.join(''))
      pieces = []
    }
    pieces.push(line)
  }
  if (pieces.length > 0) headers.push(pieces.join(''))
  return headers
}

/** A part: from after its boundary to before the line feed of the next one. */
function takePart(parsed: Parsed, part: string): void {
  const wide = part.indexOf('\r\n\r\n')
  const narrow = part.indexOf('\n\n')
  const gap = wide >= 0 && (narrow < 0 || wide < narrow) ? wide : narrow
  if (gap < 0) {
    parsed.isBroken = true
    return
  }
  const value = part.substring(gap + (gap === wide ? 4 : 2), part.endsWith('\r') ? part.length - 1 : part.length)
  const headers = headersOfPart(part.substring(0, gap))
  let name = ''
  let file: string | undefined
  for (const header of headers) {
    if (!header.toLowerCase().startsWith('content-disposition:')) continue
    name = parameterOf(header, 'name') ?? ''
    file = parameterOf(header, 'filename') ?? parameterOf(header, 'filename*')
  }
  for (const header of headers) parsed.partHeaders.push({ name, value: header })
  if (file === undefined) parsed.args.push({ name, value })
  else {
    parsed.files.push({ name, value: file })
    parsed.fileBytes += value.length
  }
}

/** The texts and attributes of XML, found by scanning its tags; custom entities are not expanded. */
export function takeXml(parsed: Parsed, body: string, max: number): void {
  let at = 0
  let count = 0
  let depth = 0
  while (at < body.length && count <= max) {
    const open = body.indexOf('<', at)
    const text = body.substring(at, open < 0 ? body.length : open)
    if (trimmed(text) !== '') parsed.texts.push(xmlDecoded(text))
    if (open < 0) break
    count++
    if (body.startsWith('<![CDATA[', open)) {
      const end = body.indexOf(']]>', open)
      parsed.texts.push(body.substring(open + 9, end < 0 ? body.length : end))
      if (end < 0) parsed.isBroken = true
      at = end < 0 ? body.length : end + 3
      continue
    }
    const isComment = body.startsWith('<!--', open)
    const end = isComment ? body.indexOf('-->', open) : endOfTag(body, open)
    if (end < 0) {
      parsed.isBroken = true
      break
    }
    const isPlain = !isComment && body.charAt(open + 1) !== '!' && body.charAt(open + 1) !== '?'
    if (isPlain) {
      if (body.charAt(open + 1) === '/') depth--
      else {
        takeAttributes(parsed, body.substring(open + 1, end))
        if (body.charAt(end - 1) !== '/') depth++
      }
    }
    at = end + (isComment ? 3 : 1)
  }
  if (depth !== 0 || count > max) parsed.isBroken = true
}

/** The `>` that ends a tag; those in quoted values are skipped. */
function endOfTag(body: string, open: number): number {
  let quote = ''
  for (let at = open + 1; at < body.length; at++) {
    const char = body.charAt(at)
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if (char === '>') return at
  }
  return -1
}

function takeAttributes(parsed: Parsed, tag: string): void {
  let at = tag.indexOf('=')
  while (at >= 0) {
    const quote = tag.charAt(at + 1)
    if (quote !== '"' && quote !== "'") return
    const end = tag.indexOf(quote, at + 2)
    if (end < 0) return
    parsed.attributes.push(xmlDecoded(tag.substring(at + 2, end)))
    at = tag.indexOf('=', end)
  }
}
