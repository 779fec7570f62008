/**
 * Delivery settings that must be transparent to an application: with each of them its answers arrive unchanged.
 * Settings for one path, or for one page's origin, are set for others, so that the requests are not affected. Not
 * included is what changes answers by design: slices, which are never compressed, headers for visitors, CORS.
 */
import type { SiteFacts } from '../../edge/box/disk.ts'
import type { Version } from '../../edge/box/transparent/ask.ts'
import { inLong, versionsAsked } from './box.ts'

const elsewhere = '^/never-asked-for/'
const rule = { prefixes: ['/'], extensions: [], ttl: 60, ignoreQuery: false, respectsOrigin: true }

const settings: Record<string, SiteFacts> = {
  'no compression': { settings: { compression: { types: [], minLength: 0, level: 5 } } },
  'the highest level of compression': {
    settings: { compression: { types: ['text/html', 'text/css'], minLength: 20, level: 9 } },
  },
  'a bandwidth limit': { bandwidth: [{ id: 1, urlRegex: '', rate: 50_000_000, afterSize: 1000 }] },
  redirects: {
    redirects: [{ id: 1, match: 'regex', value: `${elsewhere}(.*)`, target: '/$1', status: 301, keepQuery: true }],
  },
  rewrites: { rewrites: [{ id: 1, urlRegex: `${elsewhere}(.*)`, target: '/$1' }] },
  'a header for the origin': { headers: [{ id: 1, type: 'request', key: 'X-From-The-Edge', value: 'yes' }] },
  'a signature in other URLs': {
    tokens: {
      rules: [{ id: 1, urlRegex: elsewhere, kind: 'hmac', ttl: 60, parameter: 'signature' }],
      keys: { 1: ['a key of thirty-two characters!!', ''] },
    },
  },
  'error pages': { errorPages: [[{ status: 403, content: '<h1>Not here</h1>', intercept: false }]] },
  'rules about referers and headers': {
    firewall: {
      antiReferers: [
        {
          ...{ id: 1, urlRegex: '', referers: ['*.elsewhere.test'], isBlack: true, allowEmpty: true },
          mode: 'enforce',
        },
      ],
      antiHeaders: [
        { ...{ id: 2, urlRegex: '', header: 'x-scanner', valueRegex: '^yes$', blockType: 0 }, mode: 'enforce' },
      ],
    },
  },
  'TLS 1.3 alone': { settings: { tlsProfile: 'modern' } },
  'a header in the key': { settings: { keyedHeaders: ['x-variant'] } },
  'ambiguous paths passed on': { settings: { ambiguousPaths: 'pass', backslashes: 'pass' } },
  'short time limits': {
    settings: { originConnectTimeoutMs: 1000, originFirstByteTimeoutMs: 8000, originIdleTimeoutMs: 8000 },
  },
  'a bound for bodies': { settings: { bodyBytesMax: 100_000_000 } },
  'checks of the origin': { settings: { originCheck: { type: 'tcp', interval: 5, timeout: 2, rise: 1, fall: 3 } } },
  'a credential for the origin': { credential: 'a secret of the edge' },
  gRPC: { settings: { grpc: true } },
  'a site that closes later': { settings: { closed: { from: 4_000_000_000 } } },
  'a cache rule that respects the origin': { cache: [{ id: 1, ...rule }] },
  'a cache rule with more in the key': {
    cache: [{ id: 1, ...rule, keyHeaders: ['x-variant'], keyCookies: ['variant'], keyDevice: true }],
  },
  'a cache rule with stale answers': {
    cache: [{ id: 1, ...rule, staleWhileRevalidate: 1, staleIfError: 60 }],
  },
  'a cache rule that stores nothing': { cache: [{ id: 1, ...rule, ttl: 0, respectsOrigin: false }] },
}

/**
 * All of them at once. Without cache rules, which would store answers that an application generates anew each time, and
 * without a body limit, which requires uploads over HTTP/2 to state their length.
 */
const together: SiteFacts = {
  ...Object.assign({}, ...Object.values(settings)),
  settings: { ...Object.assign({}, ...Object.values(settings).map((one) => one.settings)), bodyBytesMax: 0 },
  cache: [],
}

export type Way = { name: string; facts: SiteFacts; version: Version }

const ways = (all: [string, SiteFacts][]): Way[] =>
  all.flatMap(([name, facts]) => versionsAsked.map((version) => ({ name, facts, version })))

/** Each in turn; empty in the short form. */
export const inTurn: Way[] = ways(inLong(...Object.entries(settings)))

/** For applications that take long to test: no settings, and in the long form also all at once. */
export const atOnce: Way[] = ways([['no settings', {}], ...inLong<[string, SiteFacts]>(['all settings', together])])
