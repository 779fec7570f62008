import { expect, test } from 'vitest'
import { guardIds, guardOfId } from './guards.ts'

test('a guard keeps its number for good: references shown to visitors contain it', () => {
  const ids = {
    protocol: 1,
    allowRules: 2,
    denyRules: 3,
    rateRules: 4,
    bodyRules: 5,
    challenge: 6,
    urlRedirects: 7,
    cors: 8,
    antiHeaders: 9,
    antiReferers: 10,
    tokenAuths: 11,
    proxyRewrites: 12,
    siteStatus: 13,
    forceSsl: 20,
    agentRules: 21,
    headerRules: 22,
    intervalRules: 23,
    regionRules: 24,
    bans: 25,
    siteMode: 26,
    antiCC: 27,
    waf: 28,
    authRules: 30,
    ipset: 31,
    zoneAntiCC: 32,
    luaAcls: 41,
    apiShield: 44,
    bansOfZone: 45,
  }
  expect(guardIds).toMatchObject(ids)
  expect(guardOfId(3)).toBe('denyRules')
  expect(guardOfId(0)).toBe('')
  expect(guardOfId(99)).toBe('')
})
