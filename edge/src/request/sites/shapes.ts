/** The shapes of artefacts and parts (contract/src/edge/artefact.ts), checked before a site is switched to them. */
import { amount, flag, hash, listOf, oneOf, optional, record, type Shape, text, whole } from '../lib/shape.ts'

const mode = oneOf('enforce', 'observe')

const origin = record({ id: whole, host: text, port: whole, weight: whole, backup: flag, tls: flag })

export const artefact = record({
  schema: whole,
  site: whole,
  revision: whole,
  domains: listOf(
    record({
      id: whole,
      name: text,
      origins: listOf(origin),
      balance: oneOf('roundRobin', 'ipHash', 'leastConnections', 'urlHash'),
      originHost: optional(text),
      customHeaders: listOf(hash),
    }),
  ),
  parts: record({ settings: hash, firewall: hash, cache: hash }),
  lists: listOf(hash),
  secrets: record({ originCredential: optional(text) }),
  allowOrigins: listOf(text),
})

/** The schema before (contract/src/edge/artefact-before.ts). */
export const artefactBefore = record({
  schema: whole,
  site: whole,
  revision: whole,
  hosts: listOf(record({ id: whole, name: text, origins: listOf(origin), headers: listOf(hash) })),
  parts: record({ settings: hash, firewall: hash, cache: hash }),
  lists: listOf(hash),
  secrets: record({ originCredential: optional(text) }),
  allowOrigins: listOf(text),
})

const ipRule = record(
  {
    id: whole,
    urlRegex: text,
    methods: listOf(text),
    ips: optional(listOf(text)),
    list: optional(hash),
    mode: optional(mode),
    expiresAt: optional(whole),
  },
  true,
)

const rateRule = record(
  {
    id: whole,
    urlRegex: text,
    rate: amount,
    burst: amount,
    blockType: whole,
    mode: optional(mode),
    expiresAt: optional(whole),
  },
  true,
)

const bodyRule = record(
  {
    id: whole,
    urlRegex: text,
    methods: listOf(text),
    contains: text,
    oversize: oneOf('block', 'pass'),
    mode: optional(mode),
    expiresAt: optional(whole),
  },
  true,
)

const header = record({ id: whole, type: oneOf('response', 'request'), key: text, value: text })

/** By kind. */
export const parts: Record<string, Shape> = {
  settings: record({
    kind: text,
    originCredentialHeader: optional(text),
    bodyBytesMax: whole,
    originConnectTimeoutMs: whole,
    originReadTimeoutMs: whole,
    trustedProxies: listOf(text),
  }),
  firewall: record(
    {
      kind: text,
      allowRules: listOf(ipRule),
      denyRules: listOf(ipRule),
      rateRules: listOf(rateRule),
      bodyRules: optional(listOf(bodyRule)),
    },
    true,
  ),
  cache: record({
    kind: text,
    rules: listOf(
      record({ id: whole, prefixes: listOf(text), extensions: listOf(text), ttl: whole, ignoreQuery: flag }),
    ),
  }),
  customHeaders: record({ kind: text, module: whole, headers: listOf(header) }),
}
