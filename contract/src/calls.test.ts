import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AnyEndpoint } from './endpoint.ts'
import { api } from './index.ts'

type Row = { id: string; method: string; path: string; tiers: string[] }

// The project's own copy of the specification's table of calls.
const rows: Row[] = readFileSync(new URL('../calls.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))
  .map(([id, method, path, tiers]) => ({ id: id!, method: method!, path: path!, tiers: tiers!.split(',') }))

const shape = (path: string) =>
  `/${path}`
    .replace(/^\/\/+/, '/')
    .replace('{auth}', ':tier')
    .replace(/\{\w+\}|:(?!tier)\w+/g, '{}')
const endpoints = Object.values(api).flatMap((group) => Object.values(group) as AnyEndpoint[])

test('every call has its own id and its own address', () => {
  expect(new Set(endpoints.map((call) => call.id)).size).toBe(endpoints.length)
  expect(new Set(endpoints.map((call) => `${call.method} ${shape(call.path)}`)).size).toBe(endpoints.length)
})

test('names, methods, paths and consoles match the specification', () => {
  const wrong = endpoints
    .filter((call) => !call.beyond)
    .filter((call) => {
      const row = rows.find(({ id }) => id === call.id)
      const tiersAgree =
        call.path.startsWith('/:tier') || call.tiers.length === 1 ? row && call.tiers.join() === row.tiers.join() : true
      return !row || row.method !== call.method || shape(row.path) !== shape(call.path) || !tiersAgree
    })
    .map((call) => call.id)
  expect(wrong).toEqual([])
})

test('calls beyond the specification are not in its table', () => {
  expect(
    endpoints.filter((call) => call.beyond && rows.some(({ id }) => id === call.id)).map((call) => call.id),
  ).toEqual([])
})

test('every write is audited under a name', () => {
  // Sign-in writes its own audit entries; checks, probes, back-tests, simulations, traces, plans and Explain change
  // nothing; reads are not audited.
  const quiet =
    /^(auth\.(code|login|refresh|logout|token\.check|verify$)|license\.check|user\.announcements\.read$|stat\.|logs\.|domains\.(meta|tags)$|site\.origin\.probe|user\.origin\.find|user\.sites\.import\.draft$|site\.module\.(waf\.simulate|luaAcl\.rule\.backtest)|site\.firewall\.(backtest|setting\.apiShield\.check)|site\.(cache\.simulate|request\.trace)|site\.setting\.dns\.plan|client\.zone\.setting\.(ipset|anticc)\.backtest)/
  expect(
    endpoints.filter((call) => call.method !== 'GET' && !quiet.test(call.id) && !call.audit).map((call) => call.id),
  ).toEqual([])
})

test('the number of implemented calls of the specification only grows', () => {
  const have = endpoints.filter((call) => !call.beyond).length
  console.log(`${have} of ${rows.length} specified calls, and ${endpoints.length - have} beyond`)
  expect(have).toBeGreaterThanOrEqual(62)
})
