/** Settings of a zone: what all of its nodes do. They are sent beside the site feed (`edge/node-configuration.ts`). */
import { z } from 'zod'
import { defaultConfiguration } from '../edge/node-configuration.ts'
import { redirectCodeNames } from '../edge/redirect-codes.ts'
import { numberOf } from '../enumeration.ts'
import { Network } from '../network.ts'
import { settings } from '../settings.ts'

const access = { read: 'zones.read', write: 'zones.write' } as const
const { heads, http2, forceSSLRedirectCode } = defaultConfiguration

export const http2Settings = settings(
  'zone',
  'http2',
  {
    ...{ id: 'client.zone.setting.http2', updateId: 'client.zone.setting.http2', path: 'setting/http2', ...access },
    schema: z.strictObject({ enable: z.boolean().describe('Whether nodes offer HTTP/2 to browsers.') }),
    noun: 'use of HTTP/2 by the nodes of a zone',
    reloads: true,
  },
  { enable: http2 },
)

export const http3Settings = settings(
  'zone',
  'http3',
  {
    ...{ id: 'client.zone.setting.http3', updateId: 'client.zone.setting.http3', path: 'setting/http3', ...access },
    schema: z.strictObject({
      enable: z
        .boolean()
        .describe('Whether nodes offer HTTP/3 to browsers: those whose nginx can. The others go on without it.'),
    }),
    noun: 'use of HTTP/3 by the nodes of a zone',
    reloads: true,
  },
  { enable: false },
)

const RedirectCode = numberOf(
  'ForceSSLRedirectCode',
  'The status of redirects from http to https; 307 and 308 keep the method and the body',
  redirectCodeNames,
  'wrongFormat',
)
const redirectCodeId = 'client.zone.setting.forceSSLRedirectCode'
export const forceSSLRedirectCodeSettings = settings(
  'zone',
  'forceSSLRedirectCode',
  {
    ...{ id: redirectCodeId, updateId: redirectCodeId, path: 'setting/forceSSLRedirectCode', ...access },
    schema: z.strictObject({
      forceSSLRedirectCode: RedirectCode,
    }),
    noun: 'status of redirects from http to https',
  },
  { forceSSLRedirectCode },
)

const tlsLimitId = 'client.zone.setting.tlsLimitCount'
export const tlsLimitCountSettings = settings(
  'zone',
  'tlsLimitCount',
  {
    ...{ id: tlsLimitId, updateId: tlsLimitId, path: 'setting/tlsLimitCount', ...access },
    schema: z.strictObject({
      tlsLimitCount: z
        .number()
        .int('number')
        .min(0, 'number')
        .max(1_000_000, 'number')
        .describe(
          'TLS handshakes for names that no site has, or has no certificate for, of one address within a minute on a node; past it the address is banned from the zone for ten minutes. 0 for no limit.',
        ),
    }),
    noun: 'limit of failed TLS handshakes',
  },
  { tlsLimitCount: 0 },
)

/** A number of bytes, a multiple of nginx’s own unit. */
const Bytes = (min: number, max: number) =>
  z.number().int('wrongFormat').multipleOf(1024, 'wrongFormat').min(min, 'wrongFormat').max(max, 'wrongFormat')

export const HeadLimits = z
  .strictObject({
    line: Bytes(8192, 262_144).describe('Bytes of one line of a request’s head: the URL, or a cookie header.'),
    request: Bytes(32_768, 1_048_576).describe('Bytes of all of a request’s head; at least those of one line.'),
    response: Bytes(8192, 262_144).describe('Bytes of the head of an origin’s answer.'),
  })
  .refine((limits) => limits.request >= limits.line, { path: ['request'], message: 'wrongFormat' })

export const headLimits = settings(
  'zone',
  'heads',
  {
    ...{ id: 'client.zone.setting.heads', path: 'setting/heads', ...access },
    schema: HeadLimits,
    noun: 'limits of request heads and response heads',
    beyond: true,
    reloads: true,
  },
  heads,
)

export const trustedProxies = settings(
  'zone',
  'trustedProxies',
  {
    ...{ id: 'client.zone.setting.trustedProxies', path: 'setting/trustedProxies', ...access },
    schema: z.strictObject({
      networks: z
        .array(Network)
        .max(100, 'itemsExceedLimit')
        .describe(
          'Proxies in front of all nodes whose X-Forwarded-For is believed, beside those of a node’s own file.',
        ),
    }),
    noun: 'proxies in front of a zone',
    beyond: true,
    reloads: true,
  },
  { networks: [] },
)

/** In bytes; 0 leaves it to the node. */
const Room = (min: number) =>
  z
    .number()
    .int('wrongFormat')
    .min(0, 'wrongFormat')
    .max(2 ** 50, 'wrongFormat')
    .refine((bytes) => bytes === 0 || bytes >= min, 'wrongFormat')

export const nodeStorage = settings(
  'node',
  'storage',
  {
    ...{ id: 'client.node.setting.storage', path: 'setting/storage' },
    ...{ read: 'nodes.read', write: 'nodes.write' },
    schema: z.strictObject({
      cacheBytes: Room(16_000_000).describe('Bytes of the cache; 0 for what the node itself chooses.'),
      spoolBytes: Room(16_000_000).describe(
        'Bytes of events kept while the control plane is away; 0 for the node’s own.',
      ),
    }),
    noun: 'disk space that a node uses',
    beyond: true,
    reloads: true,
  },
  { cacheBytes: 0, spoolBytes: 0 },
)
