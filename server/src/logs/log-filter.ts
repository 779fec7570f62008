/** Filters of the access log as SQL conditions. Values are parameters; column names appear only here. */

import { type AddressRange, parseRange } from '@breakwater/contract/addresses.ts'
import { methods } from '@breakwater/contract/fields.ts'
import type { LogFilter } from '@breakwater/contract/logs/filter.ts'
import { TupleParam } from '@clickhouse/client'
import { allOf, type Clause } from '../events/clause.ts'
import { fieldFault } from '../http/fault.ts'

type Lists = LogFilter['not']

/** The rows that a filter selects, within its scope (`events/scope.ts`). Throws if an address is invalid. */
export function filterClause(filter: LogFilter): Clause {
  return allOf([
    ...listClauses(filter, 'is'),
    ...listClauses(filter.not, 'not').map((clause) => ({ ...clause, sql: `NOT (${clause.sql})` })),
    filter.url === ''
      ? undefined
      : {
          sql: "position(concat(scheme, '://', domain, path, '?', query), {url:String}) > 0",
          params: { url: filter.url },
        },
    filter.text === ''
      ? undefined
      : {
          sql: `(${['path', 'query', 'userAgent', 'referer']
            .map((column) => `positionCaseInsensitiveUTF8(${column}, {text:String}) > 0`)
            .join(' OR ')})`,
          params: { text: filter.text },
        },
    filter.reqID === '' ? undefined : { sql: 'requestId = {reqID:String}', params: { reqID: filter.reqID } },
  ])
}

/**
 * For each list that is not empty, a condition that any of its values matches. `prefix` separates the parameters of a
 * list from those of its excluding counterpart.
 */
function listClauses(lists: Lists, prefix: 'is' | 'not'): Clause[] {
  const anyOf = (name: keyof Lists, sql: (param: string) => string, type: string, values: unknown[] = lists[name]) =>
    values.length === 0
      ? []
      : [{ sql: sql(`{${prefix}_${name}:Array(${type})}`), params: { [`${prefix}_${name}`]: values } }]
  return [
    // A refused visitor got 403, 429 or 503; people also search for the product's own code.
    ...anyOf('status', (list) => `status IN ${list} OR cause IN ${list}`, 'UInt16', lists.status).map(inBrackets),
    ...anyOf('cause', (list) => `cause IN ${list}`, 'UInt16'),
    ...anyOf('originStatus', (list) => `originStatus IN ${list}`, 'UInt16'),
    ...anyOf('rule', (list) => `rule IN ${list}`, 'UInt32'),
    ...anyOf(
      'wafRule',
      (list) => `hasAny(arrayMap(match -> toUInt32OrZero(splitByChar(':', match)[1]), splitByChar(' ', waf)), ${list})`,
      'UInt32',
    ),
    ...anyOf('node', (list) => `node IN ${list}`, 'UInt32'),
    ...methodClause(lists.method, prefix),
    ...anyOf(
      'ip',
      (list) => `arrayExists(r -> address >= toIPv6(r.1) AND address <= toIPv6(r.2), ${list})`,
      'Tuple(String, String)',
      lists.ip.map(rangeOf),
    ),
    ...anyOf(
      'country',
      (list) => `country IN ${list}`,
      'String',
      lists.country.map((code) => code.toUpperCase()),
    ),
    ...anyOf('asn', (list) => `asn IN ${list}`, 'UInt32'),
    ...anyOf('bot', (list) => `bot IN ${list}`, 'String'),
    ...anyOf('action', (list) => `action IN ${list}`, 'String'),
    ...anyOf('guard', (list) => `guard IN ${list}`, 'String'),
    ...anyOf('route', (list) => `route IN ${list}`, 'String'),
    ...anyOf('contentType', (list) => `contentType IN ${list}`, 'String'),
    ...anyOf('cache', (list) => `cache IN ${list}`, 'String'),
    ...anyOf(
      'host',
      (list) => `domain IN ${list}`,
      'String',
      lists.host.map((host) => host.toLowerCase()),
    ),
    ...anyOf('hostPath', (list) => `concat(domain, path) IN ${list}`, 'String'),
    ...anyOf('userAgent', (list) => `userAgent IN ${list}`, 'String'),
    ...anyOf('referer', (list) => `referer IN ${list}`, 'String'),
    ...anyOf('originFailure', (list) => `originFailure IN ${list}`, 'String'),
    ...anyOf('scheme', (list) => `scheme IN ${list}`, 'String'),
    ...anyOf('httpVersion', (list) => `httpVersion IN ${list}`, 'String'),
  ]
}

const inBrackets = (clause: Clause): Clause => ({ ...clause, sql: `(${clause.sql})` })

/** `other` stands for every method that is not in the list of known ones. */
function methodClause(asked: string[], prefix: string): Clause[] {
  if (asked.length === 0) return []
  const named = asked.filter((method) => method.toLowerCase() !== 'other').map((method) => method.toUpperCase())
  const others =
    named.length < asked.length ? ` OR method NOT IN (${methods.map((method) => `'${method}'`).join(', ')})` : ''
  return [{ sql: `(method IN {${prefix}_method:Array(String)}${others})`, params: { [`${prefix}_method`]: named } }]
}

function rangeOf(text: string): TupleParam {
  const range = parseRange(text)
  if (!range) throw fieldFault('ip', 'wrongFormat')
  return new TupleParam([storedText(range.family, range.from), storedText(range.family, range.to)])
}

/** An address as the table stores it: IPv4 is mapped into IPv6. */
export function storedText(family: AddressRange['family'], value: bigint): string {
  const bits = family === 4 ? (0xffffn << 32n) | value : value
  const groups = Array.from({ length: 8 }, (_, i) => ((bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16))
  return groups.join(':')
}
