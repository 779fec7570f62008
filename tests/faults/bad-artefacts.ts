/**
 * Artefacts that no honest control plane produces, each with its own genuine hash and signature, and what a node
 * reports about them.
 */
import { encodeIpSet } from '@breakwater/contract/edge/ip-set.ts'
import { sha256 } from '../agent/sealing.ts'
import type { Draft, Published } from './draft.ts'

export type ArtefactFault = [what: string, says: RegExp, spoil: (draft: Draft) => Published]

const missing = sha256('nobody has this')

/** Corrupted bytes of an artefact. */
const bytesFaults: ArtefactFault[] = [
  ['a truncated artefact', /no JSON/, (d) => d.entry(d.bytes().subarray(0, -40))],
  ['a doubled artefact', /no JSON/, (d) => d.entry(Buffer.concat([d.bytes(), d.bytes()]))],
  ['an artefact of no bytes', /no JSON/, (d) => d.entry(Buffer.alloc(0))],
  ['binary garbage', /no JSON/, (d) => d.entry(Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 73) % 256)))],
  ['zeros', /no JSON/, (d) => d.entry(Buffer.alloc(4096))],
  [
    'bad UTF-8 in a text',
    /no JSON/,
    (d) => {
      const bytes = d.bytes()
      bytes[bytes.indexOf('roundRobin')] = 0xff
      return d.entry(bytes)
    },
  ],
  ['a list in place of the object', /expected object/, (d) => d.entry(Buffer.from('[]'))],
  ['null', /expected object/, (d) => d.entry(Buffer.from('null'))],
  ['nesting without end', /no JSON|expected object/, (d) => d.entry(Buffer.from('['.repeat(200_000)))],
  [
    'nesting too deep for nginx, in a field that nobody reads',
    /unknown schema/,
    (d) => d.entry(Buffer.from(`${d.bytes().toString().slice(0, -1)},"x":${'['.repeat(2000)}${']'.repeat(2000)}}`)),
  ],
  [
    'an over-long artefact',
    /too long/,
    (d) => d.entry(Buffer.from(`${d.bytes().toString().slice(0, -1)},"x":"${'y'.repeat(9_000_000)}"}`)),
  ],
  ['an object longer than any reply may be', /too long/, (d) => d.entry(Buffer.alloc(50_000_000, 32))],
  [
    'NaN for a number',
    /no JSON/,
    (d) => d.entry(Buffer.from(d.bytes().toString().replace('"weight":1', '"weight":NaN'))),
  ],
  [
    'a number beyond all',
    /weight/,
    (d) => d.entry(Buffer.from(d.bytes().toString().replace('"weight":1', '"weight":1e999'))),
  ],
  [
    'bytes that are not what the hash says',
    /hash says/,
    (d) => {
      const entry = d.entry()
      d.plane.objects.set(entry.artefact ?? '', Buffer.from('{}'))
      return entry
    },
  ],
]

/** Complete JSON with invalid contents. */
const artefactFaults: ArtefactFault[] = [
  ['a schema of the future', /schema/, (d) => Object.assign(d.artefact, { schema: 3 }) && d.entry()],
  [
    'a feature that the node has not',
    /requires magic/,
    (d) => Object.assign(d.artefact, { requires: ['magic'] }) && d.entry(),
  ],
  ['another site’s id', /artefact of site 1/, (d) => Object.assign(d.artefact, { site: 1 }) && d.entry()],
  ['an older revision’s artefact', /revision 1$/, (d) => Object.assign(d.artefact, { revision: 1 }) && d.entry()],
  [
    'a host that the artefact does not have',
    /disagree about other\.test/,
    (d) => ({ ...d.entry(), hosts: [d.host, 'other.test'] }),
  ],
  ['a host that the entry leaves out', /disagree about/, (d) => ({ ...d.entry(), hosts: [] })],
  [
    'a domain that stands twice',
    /stands twice/,
    (d) => d.artefact.domains.push({ ...d.artefact.domains[0] }) && d.entry(),
  ],
  [
    'a domain that is no name',
    /domains\.0\.name/,
    (d) => Object.assign(d.artefact.domains[0], { name: 'a b\r\n' }) && d.entry(),
  ],
  [
    'an unknown way of balancing',
    /balance/,
    (d) => Object.assign(d.artefact.domains[0], { balance: 'guess' }) && d.entry(),
  ],
  ['a port out of range', /port/, (d) => Object.assign(d.artefact.domains[0].origins[0], { port: 1e9 }) && d.entry()],
  [
    'a line break in an origin',
    /origins\.0\.host/,
    (d) => Object.assign(d.artefact.domains[0].origins[0], { host: 'a\r\nb' }) && d.entry(),
  ],
  [
    'a bad network among the exceptions',
    /not an address range/,
    (d) => Object.assign(d.artefact, { allowOrigins: ['10.0.0.0/99'] }) && d.entry(),
  ],
  [
    'a pointer to nothing',
    /part cache: .*does not give/,
    (d) => Object.assign(d.artefact, { parts: { cache: missing } }) && d.entry(),
  ],
  [
    'another group’s artefact, which the control plane does not give',
    /does not give/,
    (d) => ({ ...d.entry(), artefact: missing }),
  ],
  [
    'parts that are swapped',
    /kind settings|kind firewall/,
    (d) => {
      const { settings, firewall } = d.link().artefact.parts
      Object.assign(d.artefact.parts, { settings: firewall, firewall: settings })
      return d.entry()
    },
  ],
  ['a part in place of the artefact', /schema|site/, (d) => ({ ...d.entry(), artefact: d.plane.keep(d.settings) })],
  [
    'an artefact in place of a part: a cycle',
    /part cache: kind/,
    (d) => {
      const parts = { cache: d.entry().artefact }
      Object.assign(d.artefact.parts, parts)
      return d.entry()
    },
  ],
  [
    'a secret that is not there',
    /secret: .*does not give/,
    (d) => Object.assign(d.artefact.secrets, { originCredential: 'originCredential@7' }) && d.entry(),
  ],
  [
    'a secret’s name that climbs out of its folder',
    /secrets/,
    (d) => Object.assign(d.artefact.secrets, { originCredential: '../../key@1' }) && d.entry(),
  ],
  [
    'more lists than there can be',
    /lists/,
    (d) => Object.assign(d.artefact, { lists: Array.from({ length: 1001 }, (_, i) => sha256(`${i}`)) }) && d.entry(),
  ],
]

/** Parts with invalid contents. */
const partFaults: ArtefactFault[] = [
  ['a part of an unknown kind', /part cache: kind/, (d) => Object.assign(d.cache, { kind: 'magic' }) && d.entry()],
  [
    'a truncated part',
    /part settings: it is no JSON/,
    (d) => {
      const half = d.plane.keep(Buffer.from(JSON.stringify(d.settings).slice(0, 30)))
      return Object.assign(d.artefact, { parts: { settings: half } }) && d.entry()
    },
  ],
  ['a security field that the node does not know', /geoIDs is unknown/, (d) => d.denyRule({ geoIDs: [1] }).entry()],
  [
    'a list of rules that the node does not know',
    /botRules is unknown/,
    (d) => Object.assign(d.firewall, { botRules: [] }) && d.entry(),
  ],
  ['a way of acting that is unknown', /mode/, (d) => d.denyRule({ mode: 'perhaps' }).entry()],
  ['a text for a number', /rate/, (d) => d.rateRule({ rate: '10' }).entry()],
  ['a rate of nothing', /rate/, (d) => d.rateRule({ rate: 0 }).entry()],
  ['a burst without bounds', /burst/, (d) => d.rateRule({ burst: 1e300 }).entry()],
  ['a protection mode of the future', /blockType/, (d) => d.rateRule({ blockType: 9 }).entry()],
  ['a regular expression that does not compile', /regular expression/, (d) => d.rateRule({ urlRegex: '(' }).entry()],
  ['a regular expression that explodes', /safe regular expression/, (d) => d.rateRule({ urlRegex: '^(a+)+$' }).entry()],
  ['a regular expression of 100 KB', /urlRegex/, (d) => d.rateRule({ urlRegex: 'a'.repeat(100_000) }).entry()],
  ['two rules of one id', /stands twice/, (d) => d.rateRule().rateRule({ urlRegex: '/other' }).entry()],
  ['an address that is none', /not an address range/, (d) => d.denyRule({ ips: ['192.0.2.300'] }).entry()],
  ['a rule with both addresses and a list', /either ips or a list/, (d) => d.denyRule({ list: missing }).entry()],
  [
    'a rule whose list the artefact does not name',
    /address list is missing/,
    (d) => d.denyRule({ ips: undefined, list: missing }).entry(),
  ],
  [
    'a line break in a header’s value',
    /value/,
    (d) => d.headers.headers.push({ id: 2, type: 'response', key: 'x-a', value: 'a\r\nx-b: c' }) && d.entry(),
  ],
  [
    'a line break in a header’s name',
    /key/,
    (d) => d.headers.headers.push({ id: 2, type: 'response', key: 'x-a\r\nx-b', value: 'c' }) && d.entry(),
  ],
  [
    'a line break in the credential’s header',
    /originCredentialHeader/,
    (d) => Object.assign(d.settings, { originCredentialHeader: 'a\r\nb' }) && d.entry(),
  ],
  [
    'a wait below nothing',
    /originIdleTimeoutMs/,
    (d) => Object.assign(d.settings, { originIdleTimeoutMs: -1 }) && d.entry(),
  ],
  [
    'a trusted proxy that is none',
    /not an address range/,
    (d) => Object.assign(d.settings, { trustedProxies: ['::/200'] }) && d.entry(),
  ],
  [
    'an object kept for ever and more',
    /ttl/,
    (d) => d.cache.rules.push({ id: 1, prefixes: ['/'], extensions: [], ttl: 1e300, ignoreQuery: false }) && d.entry(),
  ],
]

/** A binary list for the deny rule of a site. */
function withList(draft: Draft, bytes: Buffer): Published {
  const list = draft.plane.keep(bytes)
  draft.artefact.lists.push(list)
  return draft.denyRule({ ips: undefined, list }).entry()
}

const list = () => Buffer.from(encodeIpSet(['192.0.2.1', '198.51.100.0/24', '203.0.113.7', '2001:db8::/48']))

const listFaults: ArtefactFault[] = [
  ['an address list of another make', /no address list/, (d) => withList(d, Buffer.from('BWIPSET2\0\0\0\0\0\0\0\0'))],
  ['a truncated address list', /no address list/, (d) => withList(d, list().subarray(0, -3))],
  [
    'an address list that counts more than it has',
    /no address list/,
    (d) => withList(d, Buffer.from(list().fill(0xff, 8, 12))),
  ],
  [
    'an address list out of order',
    /out of order/,
    (d) => {
      const bytes = list()
      const first = Buffer.from(bytes.subarray(16, 24))
      bytes.copyWithin(16, 24, 32)
      first.copy(bytes, 24)
      return withList(d, bytes)
    },
  ],
]

export const bytesThatAreBad = [...bytesFaults, ...artefactFaults, ...partFaults, ...listFaults]
