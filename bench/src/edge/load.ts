/** Load from wrk, and the CPU time of the processes that serve it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cpuOfThreads } from './workers.ts'
import { runWrk } from './wrk.ts'

/**
 * How the host of each request is drawn: uniformly, or by popularity (the n-th gets 1/n of the requests of the first).
 */
export type Draw = 'uniform' | 'popular'

export type Measured = {
  requests: number
  errors: number
  /** CPU time of the measured processes, user and system, in µs per request. */
  cpuUs: number
  /** Latency in ms as measured by wrk. */
  p50: number
  p99: number
  p999: number
}

/**
 * A script for wrk. Requests are built before the first is sent, so that the load generator costs the same whatever is
 * drawn.
 */
function script({ hosts, path, draw, closes }: Pick<Load, 'hosts' | 'path' | 'draw' | 'closes'>): string {
  return `
local requests = {}
local count = ${hosts.length}
init = function()
  for host in string.gmatch([[${hosts.join(' ')}]], '%S+') do
    requests[#requests + 1] = wrk.format('GET', '${path}', { Host = host${closes ? ", Connection = 'close'" : ''} })
  end
  math.randomseed(7)
end
local next = 0
local sum = math.log(count)
request = function()
  ${
    draw === 'uniform'
      ? 'next = next % count + 1 return requests[next]'
      : 'local rank = math.floor(math.exp(math.random() * sum)) return requests[math.min(rank, count)]'
  }
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\nRESULT {"requests":%d,"errors":%d,"p50":%.3f,"p99":%.3f,"p999":%.3f}\\n', summary.requests,
    e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency:percentile(99.9) / 1000))
end
`
}

export type Load = {
  folder: string
  port: number
  hosts: readonly string[]
  path: string
  draw: Draw
  seconds: number
  pids: readonly number[]
  /** One connection per request. */
  closes?: boolean
}

/** One round of load, over keep-alive connections unless `closes` is set. */
export async function measure(load: Load): Promise<Measured> {
  const file = join(load.folder, `${load.draw}.lua`)
  writeFileSync(file, script(load))
  const taken = () => load.pids.reduce((sum, pid) => sum + cpuOfThreads(pid), 0)
  const before = taken()
  const options = ['-t1', '-c32', `-d${load.seconds}s`, '-s', file, `http://127.0.0.1:${load.port}/`]
  const stdout = await runWrk(options)
  const cpu = taken() - before
  const result = /RESULT (\{.*\})/.exec(stdout)?.[1]
  if (!result) throw new Error(`wrk said nothing: ${stdout}`)
  const { requests, ...rest } = JSON.parse(result) as Omit<Measured, 'cpuUs'>
  return { requests, ...rest, cpuUs: cpu / requests }
}

/** The median of several rounds, computed for each figure. */
export function middle(rounds: readonly Measured[]): Measured {
  const of = (key: keyof Measured) => rounds.map((one) => one[key]).sort((a, b) => a - b)[rounds.length >> 1]!
  return {
    ...{ requests: of('requests'), errors: Math.max(...rounds.map(({ errors }) => errors)) },
    ...{ cpuUs: of('cpuUs'), p50: of('p50'), p99: of('p99'), p999: of('p999') },
  }
}
