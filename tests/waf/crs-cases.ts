/**
 * The regression tests of the Core Rule Set 3.3.4 (Apache-2.0, from Debian's source package), one request each, and
 * what a node finds in them. Each request comes from its own address, which identifies its row.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { type Box, until } from '../../edge/box/harness.ts'
import type { ModSecurity } from '../harness/modsecurity.ts'

/** A request as it is sent. */
export type Sent = { title: string; head: string; body: Buffer }

export type Case = Sent & {
  rule: number
  /** Whether the rule must match, or must not. */
  matches: boolean
}

type Row = [string, number, 0 | 1, string, string, string, Record<string, string>, string]

export function readCases(): Case[] {
  const text = gunzipSync(readFileSync(new URL('../../server/src/waf/crs-3.3.4.json.gz', import.meta.url))).toString()
  return (JSON.parse(text) as Row[]).map(([title, rule, matches, method, uri, version, headers, data]) => ({
    ...{ title, rule, matches: matches === 1, body: Buffer.from(data) },
    head: [
      `${method} ${uri} ${version}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      '',
    ].join('\r\n'),
  }))
}

/** A distinct address for each request of each round. */
const addressOf = (round: number, at: number) => `127.${round}.${at >> 8}.${at & 255}`

/**
 * The status of a case, or 0 if the connection ended without one. With `Connection: close` the response is read to the
 * end.
 */
function send(port: number, { head, body }: Sent, localAddress: string): Promise<number> {
  const isClosed = /^connection: close\r$/im.test(head)
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    let answer = ''
    const answered = () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0))
    socket.setTimeout(60_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (piece) => {
      answer += piece.toString('latin1')
      if (isClosed || !answer.includes('\r\n\r\n')) return
      answered()
      socket.destroy()
    })
    socket.on('close', answered)
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? answered() : reject(error)))
    socket.write(head)
    socket.write(body)
  })
}

/** Sends all cases, several at a time, each from an address of its own, and returns the statuses in their order. */
async function sendAll(port: number, cases: readonly Sent[], round: number): Promise<number[]> {
  const statuses: number[] = []
  let next = 0
  const ask = async () => {
    for (let at = next++; at < cases.length; at = next++)
      statuses[at] = await send(port, cases[at]!, addressOf(round, at))
  }
  await Promise.all(Array.from({ length: 6 }, ask))
  return statuses
}

let rounds = 0
/** Maximum number of rounds for cases that arrived when the site had used up its budget. */
const againMax = 30

/**
 * Sends all cases, several at a time, and reads the rules that the log names for each. Those that arrived when the site
 * had used up its CPU budget are sent again.
 */
export async function matchesOf(box: Box, cases: readonly Sent[]): Promise<Map<string, string>> {
  const matches = new Map<string, string>()
  let left = cases
  for (let again = 0; left.length > 0; again++) {
    if (again === againMax) throw new Error(`never decided in time: ${left.map(({ title }) => title)}`)
    const found = await askOnce(box, left, ++rounds)
    for (const [{ title }, told] of found) matches.set(title, told)
    left = [...found].filter(([, told]) => told.includes('budget:time')).map(([one]) => one)
  }
  return matches
}

/** The findings in the row of each: rules and where they matched. */
async function askOnce(box: Box, cases: readonly Sent[], round: number): Promise<Map<Sent, string>> {
  const statuses = await sendAll(box.settings.httpPort, cases, round)
  const answered = statuses.flatMap((status, at) => (isAsked(status) ? [at] : []))
  const byAddress = () => new Map(box.rows().map((row) => [row.address, row]))
  await until('a row of each case that was answered', () => {
    const rows = byAddress()
    return answered.every((at) => rows.has(addressOf(round, at)))
  })
  const rows = byAddress()
  return new Map(
    cases.map((one, at) => [one, isAsked(statuses[at]!) ? (rows.get(addressOf(round, at))?.waf ?? '') : refused]),
  )
}

/** The result for a request that is refused before any rule is run. */
export const refused = 'refused'
const isAsked = (status: number): boolean => status === 403 || status === 200

/** The libmodsecurity rules that match each case, by its title; empty if nginx itself refuses it. */
export async function rulesOfModSecurity(
  reference: ModSecurity,
  cases: readonly Sent[],
): Promise<Map<string, number[]>> {
  const round = ++rounds
  await sendAll(reference.port, cases, round)
  // Its single worker logs requests in the order in which they end.
  const last = addressOf(round, cases.length)
  await send(reference.port, { title: '', head: 'GET / HTTP/1.1\r\nHost: last\r\n\r\n', body: Buffer.alloc(0) }, last)
  await until('a row of the last request', () => reference.matches().has(last))
  const found = reference.matches()
  return new Map(cases.map(({ title }, at) => [title, found.get(addressOf(round, at)) ?? []]))
}

export const rulesIn = (told: string): number[] =>
  told
    .split(' ')
    .map((word) => Number(word.split(':')[0]))
    .filter((rule) => rule > 0)

/** Attacks with this many bytes between their two ends: some searches that use wide registers miss them. */
export const stretched = (): Case[] =>
  [0, 63, 64, 80, 200].flatMap((length) =>
    Object.entries({ 932130: ['$%7B', '%7D'], 941140: ['%3Cmeta%20', '%3E'] }).map(([rule, [before, behind]]) => ({
      ...{ title: `${rule} over ${length} bytes`, rule: Number(rule), matches: true, body: Buffer.alloc(0) },
      head: `GET /?text=${before}${'a'.repeat(length)}${behind} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    })),
  )

const mutations: Record<string, (text: string) => string> = {
  case: (text) =>
    text.replace(/(%[0-9a-f]{2})|([a-z])/gi, (char, kept?: string) =>
      kept ? char : char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase(),
    ),
  encoding: (text) =>
    text.replace(/(%[0-9a-f]{2}|[&=])|([a-z])/gi, (char, kept?: string) =>
      kept ? char : `%${char.charCodeAt(0).toString(16)}`,
    ),
  splitting: (text) => text.replace(/%20|\+/g, '/**/%0a'),
}

/** An attack in another form: in its query, and in the body if that keeps its length. Empty if nothing changes. */
export function mutated(one: Case, n: number): Case[] {
  const [name, change] = Object.entries(mutations)[n % 3]!
  const [line = ''] = one.head.split('\r\n', 1)
  const query = /\?([^ ]*)/.exec(line)?.[1] ?? ''
  const head = query === '' ? one.head : one.head.replace(`?${query}`, () => `?${change(query)}`)
  const body = name === 'case' ? Buffer.from(change(one.body.toString('latin1')), 'latin1') : one.body
  if (head === one.head && body.equals(one.body)) return []
  return [{ ...one, title: `${one.title} ${name}`, head, body }]
}
