/**
 * What wrk's processes are told that ask a node in turns: noise, the quiet sites' visitors, and the watchers of processors.
 * All read one clock, so that they agree on whose turn it is.
 */

export const quietSites = 100
/** Requests a second of one site. */
export const rate = 20
/** Of the others' visitors, each with a thread of its own, so that it knows when it asked. */
export const quietOnes = 32
/** Of a flood; asked for in turn. */
export const addresses = 5000

/** How long a phase is, and how much of its beginning may still hear what the one before it asked and is not counted; ms. */
export type PhaseTiming = { phaseMs: number; settleMs: number }
export const short: PhaseTiming = { phaseMs: 250, settleMs: 25 }
/** A site's rules may take of a worker what they did not take for ten seconds before: a pause must not count as thrift. */
export const long: PhaseTiming = { phaseMs: 6000, settleMs: 2000 }
/** Where the loud site's visitors ask, how often in a second, and what, `authorization` and a form among it (Lua for wrk, `i` counts the requests). */
export type Noise = {
  host: string
  rate: number
  path: string
  address: string
  authorization?: string
  form?: string
  timing: PhaseTiming
}

/** Who hears the noise. */
export const phases = ['nobody', 'elsewhere', 'here'] as const
export type Phase = (typeof phases)[number]

/** There and back, so that no phase always follows the same one; the same in Lua below. */
export function phaseAt(ms: number, { phaseMs }: PhaseTiming): Phase {
  const number = Math.floor(ms / phaseMs)
  return phases[Math.floor(number / 3) % 2 === 1 ? 2 - (number % 3) : number % 3]!
}

/** For wrk: the machine's clock in ms, sleeping until a moment of it, and which phase a moment is in and how far (1 to 3, ms). */
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

/** A processor stands still when one that is to be woken every so often is late by more than this. */
const [watchMs, lateMs] = [0.5, 0.15]
/** After it what has waited meanwhile is answered, which takes as long again at most, and a little. */
const afterMs = 1
/** Asks nothing, ever: it watches. Tells from when to when its processor stood still, in ms. */
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

/** Asks at moments that have nothing to do with each other; only in one phase where one is named, else always. */
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
 * The others' visitors; tells of each answer in which phase it was asked for and how many µs it took, and how many were no 200. wrk's own delays
 * end with the clock's milliseconds, in all its threads alike; these sleep by themselves, one connection a thread.
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

/** Whether a processor stood still, or made up for it, at any moment between two, in ms. */
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
