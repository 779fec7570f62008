/**
 * The Core Rule Set 4.29.0-dev (Apache-2.0, from its authors' repository): its rules as they are uploaded, and its
 * regression tests, each stage as one request, as their runner sends it.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { StubOrigin } from '../../edge/box/origin.ts'
import { readArchive } from '../../server/src/waf/read-archive.ts'
import { refused, rulesIn, type Sent } from './crs-cases.ts'

export type Case = Sent & {
  /** The rule that is tested. */
  rule: number
  /** Rules that must match; or `refused` if it must be refused before any rule is run. */
  must: number[] | typeof refused
  /** Rules that must not match; 0 means any. */
  not: number[]
}

type Row = [title: string, must: Case['must'], not: number[], wire: string]

/** For this host only the response rules are run. */
export const answersHost = 'answers.test'
export const isOfAnswers = ({ rule }: Case): boolean => rule >= 950_000 && rule < 990_000

export function readCases(): Case[] {
  const text = gunzipSync(readFileSync(new URL('crs-4.29.0-dev.json.gz', import.meta.url))).toString()
  return (JSON.parse(text) as Row[]).map(([title, must, not, wire]) => {
    const end = wire.indexOf('\r\n\r\n') + 4
    const head = Buffer.from(wire.slice(0, end), 'latin1').toString()
    const one = { title, rule: Number.parseInt(title, 10), must, not, body: Buffer.from(wire.slice(end), 'latin1') }
    return {
      ...one,
      head: isOfAnswers({ ...one, head }) ? head.replace(/^Host: .*$/m, `Host: ${answersHost}\r`) : head,
    }
  })
}

/** The hostnames that the cases use. */
export function hostsOf(cases: readonly Case[]): string[] {
  const hosts = cases.map(({ head }) => /^Host: ([\w.-]+)(?::\d+)?\r$/m.exec(head)?.[1] ?? 'localhost')
  return [...new Set(hosts)].filter((host) => host !== answersHost)
}

export const archive = readFileSync(new URL('crs-4.29.0-dev.tar.gz', import.meta.url))

/** The limits that the tests are written for; the rule set itself sets none. */
export const limits = {
  ...{ arg_name_length: 100, arg_length: 400, total_arg_length: 6400, max_num_args: 255 },
  ...{ max_file_size: 64_100, combined_file_sizes: 65_535, crs_validate_utf8_encoding: 1 },
}

/** The files of the rule set with these limits among its settings. */
export async function filesWithLimits(): Promise<Map<string, string>> {
  const files = new Map([...(await readArchive(archive))].map(([path, text]) => [path.replace('rules/', ''), text]))
  const settings = 'REQUEST-901-INITIALIZATION.conf'
  const added = Object.entries(limits).map(
    ([name, value], n) => `SecRule &TX:${name} "@eq 0" "id:${n + 1},phase:1,pass,nolog,setvar:'tx.${name}=${value}'"\n`,
  )
  // The first setting takes precedence.
  return files.set(settings, `${added.join('')}${files.get(settings)}`)
}

/** Answers `/reflect` with the body that the request asks for, as the tests' own origin does. */
export const reflect: NonNullable<Parameters<typeof StubOrigin.start>[0]> = (request, response, asked) => {
  response.setHeader('content-type', 'text/plain').setHeader('cache-control', 'no-store')
  if (request.url !== '/reflect' || !asked.body.startsWith('{')) return response.end('origin')
  return response.end((JSON.parse(Buffer.from(asked.body, 'latin1').toString()) as { body: string }).body)
}

/** Whether a row's findings are what the authors of the case expect. */
export function isAsExpected({ must, not }: Case, told: string): boolean {
  if (must === refused) return told === refused
  const rules = rulesIn(told)
  return (
    must.every((rule) => rules.includes(rule)) &&
    not.every((rule) => (rule === 0 ? rules.length === 0 : !rules.includes(rule)))
  )
}
