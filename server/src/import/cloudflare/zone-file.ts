/**
 * Parses a zone file (RFC 1035 § 5) into records. Existing parsers drop comments, but Cloudflare marks in comments
 * which records its proxy served: this one keeps them, and the line of each record.
 */
import { type Place, SourceError } from '../draft.ts'

export type ZoneRecord = Place & { name: string; type: string; data: string[]; comment: string }

const recordsMax = 100_000
const types =
  /^(A|AAAA|CNAME|MX|TXT|NS|SOA|SRV|CAA|PTR|HTTPS|SVCB|TLSA|SSHFP|DS|DNSKEY|LOC|NAPTR|URI|CERT|SMIMEA|OPENPGPKEY|SPF)$/i

type Line = Place & { words: string[]; isContinued: boolean; comment: string }

/** Throws a SourceError at an unterminated quote or parenthesis, and at a record without a type. */
export function readZoneFile(text: string): ZoneRecord[] {
  const records: ZoneRecord[] = []
  let origin = ''
  let owner = ''
  const absolute = (name: string) => {
    if (name === '@') return origin
    return name.endsWith('.') ? name.slice(0, -1) : origin === '' ? name : `${name}.${origin}`
  }
  for (const { words, isContinued, comment, ...place } of linesOf(text)) {
    const [first = ''] = words
    if (/^\$origin$/i.test(first)) origin = (words[1] ?? '').replace(/\.$/, '')
    if (first.startsWith('$')) continue
    if (!isContinued) owner = absolute(first)
    const rest = isContinued ? words : words.slice(1)
    // TTL and class may be in either order.
    const at = rest.findIndex((word) => !/^(\d+[smhdw]?|IN|CH|HS)$/i.test(word))
    const type = at === -1 ? '' : rest[at]!
    if (owner === '' || !types.test(type)) {
      if (/^TYPE\d+$/i.test(type)) continue
      throw new SourceError(place)
    }
    if (records.length >= recordsMax) throw new SourceError(place)
    const data = rest.slice(at + 1)
    const isName = /^(CNAME|NS|PTR)$/i.test(type)
    records.push({
      ...place,
      name: owner.toLowerCase(),
      type: type.toUpperCase(),
      data: isName ? data.map((word) => absolute(word).toLowerCase()) : data,
      comment,
    })
  }
  return records
}

/** Logical lines: a group in parentheses is one line, and comments are separated. */
function* linesOf(text: string): Generator<Line> {
  let open: Line | undefined
  let depth = 0
  let number = 0
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const source = text.slice(from, end === -1 ? text.length : end).replace(/\r$/, '')
    from = end === -1 ? text.length : end + 1
    number += 1
    const place = { line: number, text: source.slice(0, 400) }
    const line = open ?? { ...place, words: [], isContinued: /^[ \t]/.test(source), comment: '' }
    open = line
    depth = addWords(line, source, depth, place)
    if (depth > 0) continue
    if (line.words.length > 0) yield line
    open = undefined
  }
  if (open) throw new SourceError(open)
}

function addWords(line: Line, source: string, before: number, place: Place): number {
  let depth = before
  const token = /\s+|;(.*)$|"((?:[^"\\]|\\.)*)"|([()])|((?:[^\s;()"\\]|\\.)+)/gy
  while (token.lastIndex < source.length) {
    const found = token.exec(source)
    if (!found) throw new SourceError(place)
    const [, comment, quoted, parenthesis, plain] = found
    if (comment !== undefined) line.comment = `${line.comment} ${comment}`.trim()
    if (quoted !== undefined || plain !== undefined) line.words.push(quoted ?? plain!)
    if (parenthesis !== undefined) depth += parenthesis === '(' ? 1 : -1
    if (depth < 0 || depth > 1 || line.words.length > 10_000) throw new SourceError(place)
  }
  return depth
}
