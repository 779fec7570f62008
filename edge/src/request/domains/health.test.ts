/** When an origin is skipped, and how it comes back; the test controls the clock. */
import { afterAll, beforeEach, expect, test, vi } from 'vitest'

let now = 1000
class Dict {
  private readonly all = new Map<string, { value: unknown; until: number; flags: number | undefined }>()
  get(key: string) {
    const found = this.all.get(key)
    return found === undefined || found.until <= now ? [undefined, undefined] : [found.value, found.flags]
  }
  set(key: string, value: unknown, ttl = 1e9, flags?: number) {
    this.all.set(key, { value, until: now + ttl, flags })
    return [true]
  }
  add(key: string, value: unknown, ttl: number) {
    if (this.get(key)[0] !== undefined) return [false]
    return this.set(key, value, ttl)
  }
  incr(key: string, by: number, init: number, ttl: number) {
    const [value] = this.get(key) as [number | undefined]
    if (value === undefined) this.set(key, init + by, ttl)
    else this.all.get(key)!.value = value + by
    return [(value ?? init) + by]
  }
  delete(key: string) {
    this.all.delete(key)
  }
}

const dicts = { peers: new Dict(), origins: new Dict() }
vi.stubGlobal('ngx', { shared: dicts, now: () => now, time: () => Math.floor(now) })
vi.stubGlobal('math', Math)
type Terms = { rise: number; fall: number; interval: number; timeout: number }
type Health = {
  failed(key: string): void
  succeeded(key: string): void
  isDown(origin: { key: string; backup: boolean; isChecked: boolean }): boolean
  takeProbe(): { key: string } | undefined
  noteCheck(key: string, problem: string | undefined, terms: Terms): void
}
// Imported by URL: the file belongs to the request path, whose globals are nginx's.
const file = new URL('./health.ts', import.meta.url).href
const { failed, isDown, noteCheck, succeeded, takeProbe } = (await import(file)) as Health
afterAll(() => vi.unstubAllGlobals())

let key = ''
const origin = () => ({ key, backup: false, isChecked: true })
beforeEach(() => {
  now += 10_000
  key = `o${now}`
})

test('an origin rests after two failures within ten seconds, but not if they are further apart', () => {
  failed(key)
  now += 11
  failed(key)
  expect(isDown(origin())).toBe(false)
  failed(key)
  expect(isDown(origin())).toBe(true)
})

test('after its rest a single request probes an origin, and each failed probe doubles the rest, up to a minute', () => {
  failed(key)
  failed(key)
  for (const seconds of [10, 20, 40, 60, 60]) {
    now += seconds - 1
    expect([isDown(origin()), takeProbe()]).toEqual([true, undefined])
    now += 2
    expect([isDown(origin()), takeProbe()?.key]).toEqual([true, key])
    // A concurrent request does not become a second probe.
    expect([isDown(origin()), takeProbe()]).toEqual([true, undefined])
    failed(key)
  }
  now += 61
  isDown(origin())
  succeeded(key)
  expect([isDown(origin()), takeProbe()?.key]).toEqual([false, key])
})

test('an origin is down after `fall` failed checks in a row, and up after `rise` successful checks in a row', () => {
  const terms = { rise: 2, fall: 3, interval: 5, timeout: 1 }
  for (const problem of ['connect', 'connect', undefined, 'tls', 'tls'] as const) noteCheck(key, problem, terms)
  expect(isDown(origin())).toBe(false)
  noteCheck(key, 'tls', terms)
  expect(isDown(origin())).toBe(true)
  noteCheck(key, undefined, terms)
  expect(isDown(origin())).toBe(true)
  noteCheck(key, undefined, terms)
  expect(isDown(origin())).toBe(false)
})
