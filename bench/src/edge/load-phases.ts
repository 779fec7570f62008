/**
 * Scripts for the wrk processes that load a node in turns: the noise, the visitors of the quiet sites, and the watchers
 * of the CPUs. All read the same clock, so that they agree on the current phase.
 */

export const quietSites = 100
/** Requests per second of one site. */
export const rate = 20
/** Number of visitors of the quiet sites, each with a thread of its own, so that it knows when it sent its request. */
export const quietOnes = 32
/** Number of addresses of a flood, used in turn. */
export const addresses = 5000

/**
 * Length of a phase, and how much of its beginning is not counted because it may still be affected by requests of the
 * previous phase; in ms.
 */
export type PhaseTiming = { phaseMs: number; settleMs: number }
export const short: PhaseTiming = { phaseMs: 250, settleMs: 25 }
/**
 * A site's rules may use CPU time of a worker that they did not use in the ten seconds before: a pause must not be
 * credited to them.
 */
export const long: PhaseTiming = { phaseMs: 6000, settleMs: 2000 }
/**
 * Where the loud site's visitors send their requests, how many per second, and what they contain, including
 * `authorization` and a form (Lua for wrk, `i` counts the requests).
 */
export type Noise = {
  host: string
  rate: number
  path: string
  address: string
  authorization?: string
  form?: string
  timing: PhaseTiming
}

/** Where the noise goes. */
export const phases = ['nobody', 'elsewhere', 'here'] as const
export type Phase = (typeof phases)[number]

/** Forward and back, so that no phase always follows the same one. Implemented a second time in Lua below. */
export function phaseAt(ms: number, { phaseMs }: PhaseTiming): Phase {
  const number = Math.floor(ms / phaseMs)
  return phases[Math.floor(number / 3) % 2 === 1 ? 2 - (number % 3) : number % 3]!
}

/**
 * For wrk: the machine's clock in ms, sleeping until a point in time, and the phase of a point in time (1 to 3) and the
 * time since its start (ms).
 */
const clock = ({ phaseMs }: PhaseTiming): string => `
local ffi = require('ffi')
ffi.cdef('struct moment { long s, ns; }; int clock_gettime(int, struct moment *); int clock_nanosleep(int, int, const struct moment *, void *);')
local moment = ffi.new('struct moment')
local monotonic, absolute = 1, 1
local function now()
  ffi.C.clock_gettime(monotonic, moment)
  return tonumber(moment.s) * 1e3 + tonumber(moment.ns) / 1e6
end
local function sleepUntil(ms)
  moment.s, moment.ns = math.floor(ms / 1e3), ms % 1e3 * 1e6
  ffi.C.clock_nanosleep(monotonic, absolute, moment, nil)
end
local function phaseAt(ms)
  local number = math.floor(ms / ${phaseMs})
  local at = number % 3
  if math.floor(number / 3) % 2 == 1 then at = 2 - at end
  return at + 1, ms % ${phaseMs}
end
local function chance(perSecond) return -math.log(1 - math.random()) * 1e3 / perSecond end
`

/**
 * A CPU counts as stalled when a process that is to be woken every `watchMs` ms wakes up more than `lateMs` ms late.
 */
const [watchMs, lateMs] = [0.5, 0.15]
/**
 * After a stall the requests that queued up are answered. That takes at most as long as the stall, plus this margin.
 */
const afterMs = 1
/** Never sends a request: it only watches. Reports from when to when its CPU was stalled, in ms. */
export const watcher = `${clock(short)}
function request()
  local due = now()
  while true do
    due = due + ${watchMs}
    sleepUntil(due)
    local woken = now()
    if woken - due > ${lateMs} then
      io.write(string.format('STILL %.3f %.3f\\n', due, woken))
      io.flush()
      due = woken
    end
  end
end
`

/** Sends requests at random, independent intervals; only in one phase if one is given, otherwise always. */
export const noise = (
  { host, rate, path, address, authorization = 'nil', form = 'nil', timing }: Noise,
  only?: Phase,
): string => `${clock(timing)}
local due = now()
local i = 0
function request()
  i = i % ${addresses} + 1
  due = due + chance(${rate})
  local phase, into = phaseAt(due)
  while ${only ? phases.indexOf(only) + 1 : 'phase'} ~= phase do
    due = due - into + ${timing.phaseMs} + chance(${rate})
    phase, into = phaseAt(due)
  end
  sleepUntil(due)
  local form = ${form}
  local headers = { Host = '${host}', ['X-Forwarded-For'] = ${address}, Authorization = ${authorization} }
  if form == nil then return wrk.format('GET', ${path}, headers) end
  headers['Content-Type'] = 'application/x-www-form-urlencoded'
  return wrk.format('POST', ${path}, headers, form)
end
`

/**
 * The visitors of the quiet sites. Reports for each response the phase of its request and its latency in µs, and the
 * number of responses other than 200. wrk's own delays end on whole milliseconds of the clock, at the same time in all
 * its threads; these threads sleep by themselves, with one connection per thread.
 */
export const quiet = (timing: PhaseTiming): string => `${clock(timing)}
local threads = {}
function setup(thread)
  thread:set('seed', #threads + 1)
  threads[#threads + 1] = thread
end
local due, asked, i
local lines = {}
function init()
  math.randomseed(seed)
  failed = 0
  due, i = now(), seed
end
function request()
  i = i + ${quietOnes}
  due = math.max(due + chance(${(quietSites * rate) / quietOnes}), now())
  sleepUntil(due)
  local text = wrk.format('GET', '/', { Host = 'quiet' .. i % ${quietSites} .. '.test', ['X-Forwarded-For'] = '198.51.' .. i % 3 .. '.' .. i % 200 })
  asked = now()
  return text
end
function response(status)
  local us = math.floor((now() - asked) * 1e3)
  if status ~= 200 then failed = failed + 1 end
  local phase, into = phaseAt(asked)
  if into > ${timing.settleMs} then lines[#lines + 1] = string.format('TOOK %d %d %.3f', phase, us, asked) end
  if #lines < 50 then return end
  io.write(table.concat(lines, '\\n'), '\\n')
  lines = {}
end
function done(summary)
  local e = summary.errors
  local wrong = e.connect + e.read + e.write + e.timeout
  for _, thread in ipairs(threads) do wrong = wrong + thread:get('failed') end
  io.write('FAILED ', wrong, '\\n')
end
`

/** Returns whether a CPU was stalled, or was catching up after a stall, at any time between two points, in ms. */
export function stillness(said: string): (from: number, to: number) => boolean {
  const still = new Set<number>()
  for (const [, from, to] of said.matchAll(/STILL ([\d.]+) ([\d.]+)/g)) {
    const end = 2 * Number(to) - Number(from) + afterMs
    for (let ms = Math.floor(Number(from)); ms <= end; ms++) still.add(ms)
  }
  return (from, to) => {
    for (let ms = Math.floor(from); ms <= to; ms++) if (still.has(ms)) return true
    return false
  }
}
