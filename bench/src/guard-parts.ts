/**
 * What single parts of protection cost a hit: a tree of seven conditions of the Lua ACL (target: at most 1 µs), the
 * network lookup of an address by a region rule (0.5 µs), a token (JWT) that was seen before, signed with RSA or a
 * shared key (3 µs). CPU of the worker for a cached 1 KB of a site that has the part, minus that of one that has none,
 * in rounds of random order.
 * Run: `node bench/src/guard-parts.ts [rounds] [seconds]`.
 */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { cpus } from 'node:os'
import type { AuthGroupSecrets } from '@breakwater/contract/edge/auth-rules.ts'
import { aclRule } from '../../edge/box/acl-rule.ts'
import { Box } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { askHits } from './edge/hits.ts'
import { inRounds, quantile } from './edge/paired.ts'
import { watchMachine } from './edge/processes.ts'
import { cpuOf, isWorker } from './edge/workers.ts'

const [rounds, seconds] = [process.argv[2] ?? 9, process.argv[3] ?? 2].map(Number) as [number, number]
const trees = 10

/** Each is evaluated up to its last condition, as the first six hold. */
const acl = Array.from({ length: trees }, (_, n) =>
  aclRule(
    n + 1,
    `when method = "GET" and path startsWith "/pa" and not path endsWith ".php" and query = "" and userAgent contains "Mozilla" and not referer exists and header("X-Badge") = "b${n}" then block`,
  ),
)

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const shared = 'a shared secret of more than 32 bytes'
const signers: AuthGroupSecrets = {
  1: { algorithm: 'HS256', kid: '', issuer: '', audience: '', key: Buffer.from(shared).toString('base64') },
  2: {
    ...{ algorithm: 'RS256', kid: 'r', issuer: '', audience: '' },
    key: rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  },
}
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
function tokenOf(header: object, make: (text: string) => Buffer): string {
  const text = `${part(header)}.${part({ sub: 'ada', exp: Math.floor(Date.now() / 1000) + 86_400 })}`
  return `Bearer ${text}.${make(text).toString('base64url')}`
}
const ofShared = tokenOf({ alg: 'HS256' }, (text) => createHmac('sha256', shared).update(text).digest())
const ofRsa = tokenOf({ alg: 'RS256', kid: 'r' }, (text) => sign('sha256', Buffer.from(text), rsa.privateKey))

const hosts = {
  nothing: 'nothing.test',
  acl: 'acl.test',
  network: 'network.test',
  'JWT, shared key': 'jwt.test',
  'JWT, RSA': 'jwt.test',
}
type Name = keyof typeof hosts
const headersOf: Partial<Record<Name, Record<string, string>>> = {
  'JWT, shared key': { Authorization: ofShared },
  'JWT, RSA': { Authorization: ofRsa },
}

const origin = await StubOrigin.start((_, reply) =>
  reply.setHeader('cache-control', 'public, max-age=3600').end('x'.repeat(1024)),
)
const box = await Box.start({ workers: 1 }, (disk) => {
  const origins = [{ port: origin.port }]
  const mode = 'enforce' as const
  const region = { id: 1, urlRegex: '', countries: [], asns: [4_200_000_000], isBlack: true, blockType: 0, mode }
  const rule = { id: 1, urlRegex: '^/', type: 'jwt' as const, group: 'authGroup-1@1', realm: 'x', forward: false, mode }
  disk.feed(
    disk.site({ site: 1, hosts: [hosts.nothing], origins }),
    disk.site({ site: 2, hosts: [hosts.acl], origins, requires: ['luaAcls'], luaAcls: acl }),
    disk.site({
      ...{ site: 3, hosts: [hosts.network], origins, requires: ['regionRules', 'networks'] },
      firewall: { regionRules: [region] },
    }),
    disk.site({
      ...{ site: 4, hosts: [hosts['JWT, RSA']], origins, requires: ['authRules'] },
      auth: { rules: [rule], groups: { 'authGroup-1@1': signers } },
    }),
  )
})

/** CPU time of the worker in µs per request. */
async function measure(name: Name): Promise<number> {
  const workers = box.workers().filter(isWorker)
  const before = cpuOf(workers)
  const { requests } = await askHits({
    ...{ port: box.settings.httpPort, host: hosts[name], paths: ['/page'], seconds, rate: 0 },
    headers: headersOf[name] ?? {},
  })
  return (cpuOf(workers) - before) / requests
}

/**
 * The median of the extra cost of a part over an empty site in the same round, in µs, and its 95 % confidence interval.
 */
function more(these: readonly number[], nothing: readonly number[], share = 1): string {
  const differences = these.map((one, round) => (one - nothing[round]!) / share).sort((a, b) => a - b)
  const at = (rank: number) => differences[Math.min(differences.length - 1, Math.max(0, Math.round(rank)))]!.toFixed(2)
  const [middle, reach] = [(differences.length - 1) / 2, 0.98 * Math.sqrt(differences.length)]
  return `${at(middle)} µs [${at(middle - reach)}, ${at(middle + reach)}]`
}

try {
  for (const name of Object.keys(hosts) as Name[])
    await box.request(hosts[name], '/page', { headers: headersOf[name] ?? {} })
  const machine = watchMachine()
  const seen = await inRounds(rounds, {
    nothing: () => measure('nothing'),
    acl: () => measure('acl'),
    network: () => measure('network'),
    'JWT, shared key': () => measure('JWT, shared key'),
    'JWT, RSA': () => measure('JWT, RSA'),
  })
  console.log(`${cpus()[0]?.model}, ${machine()}; ${rounds} rounds of ${seconds} s`)
  console.log(`a hit of a site with nothing: ${quantile(seen.nothing, 0.5).toFixed(1)} µs; more than that:`)
  console.log(`one of ${trees} ACL trees of seven conditions: ${more(seen.acl, seen.nothing, trees)}`)
  console.log(`a region rule by network: ${more(seen.network, seen.nothing)}`)
  for (const name of ['JWT, shared key', 'JWT, RSA'] as const)
    console.log(`a ${name}, seen before: ${more(seen[name], seen.nothing)}`)
} finally {
  await box.end()
  await origin.end()
}
