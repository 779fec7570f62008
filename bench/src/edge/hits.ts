/** Load from wrk in which every response has to be a HIT with 200: anything else is an error and ends the bench. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runWrk } from './wrk.ts'

export type Hits = {
  port: number
  host: string
  paths: readonly string[]
  seconds: number
  rate: number
  /** Added to those of a browser; without quotes or backslashes. */
  headers?: Record<string, string>
}
/** Latency in ms as measured by wrk. */
export type HitsSeen = { requests: number; perSecond: number; p50: number; p99: number }

export const hitConnections = 32

const linesOf = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `, ['${name}'] = '${value}'`)
    .join('')

/** Paths are random but the same for both sides; with `rate` 0, requests are sent as fast as possible. */
const script = ({ host, paths, rate, headers = {} }: Hits, connections: number): string => `
local threads, requests = {}, {}
function setup(thread) threads[#threads + 1] = thread end
function init()
  math.randomseed(7)
  wrong, answers, said = 0, 0, ''
  for path in string.gmatch([[${paths.join(' ')}]], '%S+') do
    requests[#requests + 1] = wrk.format('GET', path, { Host = '${host}', ['User-Agent'] = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36'${linesOf(headers)} })
  end
end
function request() return requests[math.random(#requests)] end
${rate > 0 ? `function delay() return math.floor(math.random() * ${(2000 * connections) / rate} + 0.5) end` : ''}
function response(status, headers)
  answers = answers + 1
  if status ~= 200 or (headers['X-Cache'] or headers['x-cache']) ~= 'HIT' then
    wrong = wrong + 1
    said = status .. ' ' .. tostring(headers['X-Cache'])
  end
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('\\nRESULT {"requests":%d,"errors":%d,"wrong":%d,"said":"%s","seconds":%.3f,"p50":%.3f,"p99":%.3f}\\n',
    summary.requests, e.connect + e.read + e.write + e.status + e.timeout, threads[1]:get('wrong'), threads[1]:get('said'),
    summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
`

export async function askHits(hits: Hits): Promise<HitsSeen> {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
  try {
    const connections =
      hits.rate > 0 ? Math.min(hitConnections, Math.max(1, Math.ceil(hits.rate / 50))) : hitConnections
    const file = join(folder, 'hits.lua')
    writeFileSync(file, script(hits, connections))
    const options = ['-t1', `-c${connections}`, `-d${hits.seconds}s`, '-s', file, `http://127.0.0.1:${hits.port}/`]
    const stdout = await runWrk(options)
    const said = /RESULT (\{.*\})/.exec(stdout)?.[1]
    if (!said) throw new Error(`wrk said nothing: ${stdout}`)
    const seen = JSON.parse(said) as HitsSeen & { errors: number; wrong: number; said: string; seconds: number }
    if (seen.errors > 0 || seen.wrong > 0 || seen.requests === 0)
      throw new Error(`${seen.wrong} answers of ${seen.requests} were no HIT (${seen.said}), ${seen.errors} errors`)
    const { requests, p50, p99 } = seen
    return { requests, perSecond: requests / seen.seconds, p50, p99 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
