/**
 * The regression tests of the Core Rule Set 3.3.4 (Apache-2.0, from Debian's source package), one request each, and what
 * a node finds in them. A request comes from an address of its own, by which its row is found.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { type Box, until } from '../../edge/box/harness.ts'

export type Case = {
  title: string
  rule: number
  /** Whether the rule must match, or must not. */
  matches: boolean
  head: string
  body: Buffer
}

type Row = [string, number, 0 | 1, string, string, string, Record<string, string>, string]

export function readCases(): Case[] {
  const text = gunzipSync(readFileSync(new URL('crs-3.3.4.json.gz', import.meta.url))).toString()
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

const addressOf = (at: number) => `127.1.${at >> 8}.${at & 255 || 256}`.replace('.256', `.0`)

/** The status of a case, 0 where the connection ended without one. */
function send(port: number, { head, body }: Case, localAddress: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    let answer = ''
    socket.setTimeout(60_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (piece) => {
      answer += piece.toString('latin1')
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]
      if (status !== undefined && answer.includes('\r\n\r\n')) {
        resolve(Number(status))
        socket.destroy()
      }
    })
    socket.on('close', () => resolve(0))
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? resolve(0) : reject(error)))
    socket.write(head)
    socket.write(body)
  })
}

/** Asks all cases, several at once, and reads the rules that the log names of each. */
export async function matchesOf(box: Box, cases: Case[]): Promise<Map<string, number[]>> {
  const statuses = new Map<number, number>()
  let next = 0
  const ask = async () => {
    for (let at = next++; at < cases.length; at = next++)
      statuses.set(at, await send(box.settings.httpPort, cases[at]!, addressOf(at)))
  }
  await Promise.all(Array.from({ length: 6 }, ask))
  const answered = [...statuses].filter(([, status]) => status === 403 || status === 200)
  const byAddress = () => new Map(box.rows().map((row) => [row.address, row]))
  await until('a row of each case that was answered', () => {
    const rows = byAddress()
    return answered.every(([at]) => rows.has(addressOf(at)))
  })
  const rows = byAddress()
  return new Map(
    cases.map(({ title }, at) => {
      const found = rows.get(addressOf(at))?.waf ?? ''
      const rules = found.split(' ').map((word) => Number(word.split(':')[0]))
      return [title, rules.filter((rule) => rule > 0)]
    }),
  )
}
