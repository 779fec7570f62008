/**
 * Every setting of a settings group, with its default, its effect and the test that proves it. Generates
 * docs/settings.md:
 *
 *   node script/settings.ts     writes the page; a test compares it, and fails for a setting without a proof
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsGroups } from '@breakwater/contract/index.ts'

/** A test file, and a word in it that shows that it uses the setting. */
export type Proof = readonly [file: string, word: string]

/** By group and field. */
export const proofs: Readonly<Record<string, Readonly<Record<string, Proof>>>> = {
  mail: {
    enable: ['server/src/messages/messages.test.ts', 'enable'],
    host: ['server/src/messages/messages.test.ts', 'host'],
    port: ['server/src/messages/messages.test.ts', 'port'],
    account: ['server/src/messages/messages.test.ts', 'account'],
    password: ['server/src/messages/messages.test.ts', 'password'],
    from: ['server/src/messages/messages.test.ts', 'from'],
    encryption: ['server/src/messages/messages.test.ts', 'encryption'],
  },
  basic: {
    http2: ['edge/box/tls-settings.test.ts', 'http2: false'],
    http3: ['edge/box/http3.test.ts', 'http3: false'],
    websocket: ['edge/box/basic-settings.test.ts', 'websocket'],
    grpc: ['edge/box/grpc.test.ts', 'grpc: true'],
    timeout: ['edge/box/origin-timeouts.test.ts', 'originFirstByteTimeoutMs'],
    maxBodySize: ['edge/box/basic-settings.test.ts', 'bodyBytesMax'],
  },
  acme: {
    enable: ['server/src/certificates/acme/acme.test.ts', 'enable'],
    url: ['server/src/certificates/acme/acme.test.ts', 'url'],
    email: ['server/src/certificates/acme/acme.test.ts', 'email'],
    profile: ['server/src/certificates/acme/acme.test.ts', 'profile'],
    keyID: ['server/src/certificates/acme/acme.test.ts', 'keyID'],
    hmacKey: ['server/src/certificates/acme/acme.test.ts', 'hmacKey'],
    authorities: ['server/src/certificates/acme/acme.test.ts', 'authorities'],
    perSite: ['server/src/certificates/acme/acme.test.ts', 'perSite'],
  },
  dns: {
    dnsType: ['server/src/certificates/acme/acme.test.ts', "dnsType: 'rfc2136'"],
    domain: ['server/src/certificates/acme/acme.test.ts', "domain: 'edge.example.net'"],
    account: ['server/src/certificates/acme/acme.test.ts', 'account: zone.at'],
    key: ['server/src/certificates/acme/acme.test.ts', 'key: key.name'],
    secret: ['server/src/certificates/acme/acme.test.ts', 'secret: key.secret'],
  },
  zeroSSL: {
    enable: ['server/src/certificates/acme/acme.test.ts', 'zeroSSL'],
    accessKey: ['server/src/certificates/acme/acme.test.ts', 'accessKey'],
    email: ['server/src/certificates/acme/acme.test.ts', 'email'],
  },
  googleTrust: {
    enable: ['server/src/certificates/acme/acme.test.ts', 'googleTrust'],
    keyID: ['server/src/certificates/acme/acme.test.ts', 'keyID'],
    hmacKey: ['server/src/certificates/acme/acme.test.ts', 'goog-secret'],
  },
  originCredential: {
    header: ['edge/box/routes.test.ts', 'x-origin-key'],
    value: ['edge/box/routes.test.ts', 'only-ours'],
  },
  tls: {
    profile: ['edge/box/tls-settings.test.ts', 'tlsProfile'],
    hstsSeconds: ['edge/box/tls-settings.test.ts', 'max-age'],
    hstsSubdomains: ['server/src/certificates/certificates.test.ts', 'hstsSubdomains'],
    hstsPreload: ['server/src/certificates/certificates.test.ts', 'hstsPreload'],
  },
  originTls: {
    verify: ['edge/box/origin-tls.test.ts', 'verify'],
    ca: ['edge/box/origin-tls.test.ts', 'ours.ca'],
    pins: ['edge/box/origin-tls.test.ts', 'pins'],
    serverName: ['edge/box/origin-tls.test.ts', 'serverName'],
    host: ['edge/box/origin-tls.test.ts', 'originHost'],
  },
  originCertificate: {
    certificate: ['edge/box/origin-tls.test.ts', 'originCertificate'],
    privateKey: ['edge/box/origin-tls.test.ts', 'originKey'],
  },
  originHealth: {
    type: ['edge/box/origin-checks.test.ts', 'type'],
    path: ['edge/box/origin-checks.test.ts', 'path'],
    codes: ['edge/box/origin-checks.test.ts', 'codes'],
    interval: ['edge/box/origin-checks.test.ts', 'interval'],
    timeout: ['edge/box/origin-checks.test.ts', 'timeout'],
    rise: ['edge/box/origin-checks.test.ts', 'rise'],
    fall: ['edge/box/origin-checks.test.ts', 'fall'],
  },
  originTimeouts: {
    connect: ['edge/box/origin-timeouts.test.ts', 'originConnectTimeoutMs'],
    firstByte: ['edge/box/origin-timeouts.test.ts', 'originFirstByteTimeoutMs'],
    idle: ['edge/box/origin-timeouts.test.ts', 'originIdleTimeoutMs'],
    websocketIdle: ['edge/box/origin-timeouts.test.ts', 'websocketIdleTimeoutMs'],
  },
  requestHandling: {
    ambiguousPaths: ['edge/box/paths.test.ts', 'ambiguousPaths'],
    backslashes: ['edge/box/backslashes.test.ts', 'backslashes'],
    keyedHeaders: ['edge/box/cache-poisoning.test.ts', 'keyedHeaders'],
  },
  cacheStatus: {
    enable: ['edge/box/cache-rules.test.ts', 'cache-status'],
    networks: ['edge/box/cache-rules.test.ts', 'networks:'],
  },
  siteDns: {
    line: ['server/src/domains/site-dns.test.ts', "line: 'default'"],
    ttl: ['server/src/domains/site-dns.test.ts', 'ttl: 300'],
  },
  siteMode: {
    enable: ['server/src/firewall/request-rules.test.ts', 'enable: false'],
    mode: ['server/src/firewall/request-rules.test.ts', "mode: 'off'"],
    threshold: ['edge/src/agent/attack-watch.test.ts', 'threshold: 9'],
    blockType: ['edge/box/request-rules.test.ts', 'blockType'],
    blockSeconds: ['edge/box/request-rules.test.ts', 'blockSeconds'],
    whiteUrls: ['edge/box/request-rules.test.ts', 'whitePaths'],
  },
  apiShield: {
    enable: ['server/src/shield/api-shield.test.ts', 'enable: true'],
    mode: ['tests/shield/shield.test.ts', "mode: 'observe'"],
    document: ['tests/shield/shield.test.ts', 'compileDocument'],
    scope: ['tests/shield/shield.test.ts', 'scope:'],
    bodyBytes: ['tests/shield/shield.test.ts', 'bodyBytes'],
    overBudget: ['tests/shield/shield.test.ts', "overBudget: 'pass'"],
  },
  compression: {
    enable: ['edge/box/compression.test.ts', 'compression'],
    types: ['edge/box/compression.test.ts', 'types'],
    minLength: ['edge/box/compression.test.ts', 'minLength'],
    level: ['edge/box/compression.test.ts', 'level'],
  },
  http3: { enable: ['edge/box/http3.test.ts', 'http3: true'] },
  http2: { enable: ['edge/box/node-configuration.test.ts', 'http2: false'] },
  forceSSLRedirectCode: { forceSSLRedirectCode: ['tests/agent/configuration.test.ts', 'forceSSLRedirectCode: 308'] },
  reputation: {
    countsBans: ['server/src/bans/bans.test.ts', 'countsBans: false'],
    networks: ['server/src/bans/bans.test.ts', 'networks'],
  },
  ipset: {
    enable: ['server/src/node-configuration/node-configuration.test.ts', 'enable: true, ips'],
    ips: ['edge/box/request-rules.test.ts', 'ipset:'],
  },
  anticc: {
    enable: ['server/src/node-configuration/node-configuration.test.ts', 'anticc: { enable: false }'],
    seconds: ['edge/box/request-rules.test.ts', 'anticc: { seconds'],
    times: ['edge/box/request-rules.test.ts', 'times: 3'],
    blockType: ['edge/box/request-rules.test.ts', 'times: 3, blockType: 1'],
  },
  invalidDomainLimitCount: {
    invalidDomainLimitCount: ['edge/box/request-rules.test.ts', 'invalidDomainLimitCount: 2'],
  },
  verifiedBots: {
    enable: ['server/src/node-configuration/node-configuration.test.ts', 'verifiedBots'],
    bots: ['edge/box/request-rules.test.ts', 'verifiedBots'],
  },
  kernelBans: { enable: ['server/src/node-configuration/node-configuration.test.ts', 'kernelBans'] },
  tlsLimitCount: { tlsLimitCount: ['edge/box/tls-settings.test.ts', 'tlsLimitCount: 3'] },
  heads: {
    line: ['edge/box/node-configuration.test.ts', 'line: 8192'],
    request: ['edge/box/node-configuration.test.ts', 'request: 32_768'],
    response: ['edge/box/node-configuration.test.ts', 'response: 8192'],
  },
  wafRuleSet: { ruleSetId: ['server/src/node-configuration/rule-sets.test.ts', 'ruleSetId'] },
  wafShadow: {
    ruleSetId: ['server/src/node-configuration/rule-sets.test.ts', 'setting/wafShadow'],
    percent: ['tests/waf/waf.test.ts', 'percent'],
    nodes: ['tests/agent/configuration.test.ts', 'on another node alone'],
  },
  wafPublishers: {
    keys: ['server/src/node-configuration/rule-set-publishers.test.ts', 'keys'],
    required: ['server/src/node-configuration/rule-set-publishers.test.ts', 'required: true'],
  },
  trustedProxies: { networks: ['tests/agent/configuration.test.ts', 'trustedProxies:'] },
  originAuthorities: { certificates: ['tests/agent/configuration.test.ts', 'originAuthorities:'] },
  storage: {
    cacheBytes: ['tests/agent/configuration.test.ts', 'cacheBytes: 32_000_000'],
    spoolBytes: ['tests/agent/configuration.test.ts', 'spoolBytes: 4000'],
  },
}

/** Limits of every node: the nginx directive in its configuration, and what it limits. */
export const nodeLimits: readonly (readonly [directive: string, what: string])[] = [
  ['client_header_timeout 10s;', 'a request head must come within this time'],
  ['keepalive_timeout 65s;', 'an idle connection of a visitor'],
  ['http2_max_concurrent_streams 128;', 'requests under way on one connection of HTTP/2'],
]

const ownerNames = { site: 'a site', operator: 'the operator', zone: 'a zone', node: 'a node' } as const

const cell = (value: unknown): string => {
  if (Array.isArray(value)) return value.length > 3 ? `${value.length} values` : value.map(cell).join(', ') || 'none'
  return value === '' ? 'none' : `\`${String(value)}\``
}

const oneLine = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

export function settingsPage(): string {
  const sections = settingsGroups.map(({ owner, name, schema, defaults, calls, reloads }) => {
    const rows = Object.entries(schema.shape).map(([field, type]) => {
      const proof = proofs[name]?.[field]?.[0] ?? ''
      const effect = oneLine((type as { description?: string }).description ?? '')
      return `| \`${field}\` | ${cell((defaults as Record<string, unknown>)[field] ?? '')} | ${effect} | \`${proof}\` |`
    })
    const title = `## ${calls.update.path.split('/').at(-1)}: of ${ownerNames[owner]}`
    const effect = reloads ? '; nginx reloads, node by node' : ''
    return `${title}\n\n\`PUT ${calls.update.path}\`${effect}\n\n| setting | default | effect | proved by |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  const limits = nodeLimits.map(([directive, what]) => `| \`${directive.slice(0, -1)}\` | ${what} |`)
  return [
    '# Settings\n\nMade by `node script/settings.ts` from the contract.\n',
    ...sections,
    `## Limits of every node\n\nNot settings yet: the same on all nodes.\n\n| nginx | |\n|---|---|\n${limits.join('\n')}\n`,
  ].join('\n')
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(join(import.meta.dirname, '../docs/settings.md'), settingsPage())
