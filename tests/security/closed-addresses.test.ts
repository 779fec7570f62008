/** One list of addresses in every notation, checked by both guards: the control plane's and the edge's. */
import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { parseAddress, rangeSet } from '../../edge/src/request/lib/address.ts'
import { mayBeOrigin, ownAddresses } from '../../edge/src/request/lib/address-policy.ts'
import { makeOutboundGuard } from '../../server/src/outbound/guard.ts'

const closed = [
  ...['0.0.0.0', '127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  ...['100.64.0.1', '169.254.169.254', '192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
  ...['192.88.99.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  // Loopback and unspecified.
  ...['::', '::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '::0.0.0.1'],
  // IPv4 inside IPv6: mapped, compatible, SIIT, NAT64 (well-known and local), 6to4, Teredo.
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:10.0.0.1', '0:0:0:0:0:ffff:a9fe:a9fe', '::ffff:169.254.169.254'],
  ...['::127.0.0.1', '::7f00:1', '::10.0.0.1', '::ffff:0:7f00:1', '::ffff:0:127.0.0.1'],
  ...['64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::10.0.0.1', '64:ff9b:1:ffff::1'],
  ...['2002:7f00:1::1', '2002:a00:1::', '2002:c0a8:0101::1', '2001:0:7f00:1::', '2001::80ff:fffe'],
  // Never allocated, or for local networks only.
  ...[
    'fe80::1',
    'febf::1',
    'fec0::1',
    'feff::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    'ff0e::1',
    '100::1',
    '100:0:0:1::1',
  ],
  ...[
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
    '2001:2::1',
    '2001:10::1',
    '4000::1',
    '8000::1',
    'e000::1',
    '1fff::1',
    '200::1',
  ],
]
const open = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.32.0.1', '100.128.0.1', '223.255.255.254']
const openV6 = ['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '::ffff:8.8.8.8', '::ffff:808:808', '2400:cb00::1']

const nobody = rangeSet([])
const own = ownAddresses([], [8081])
const edgeMay = (address: string) => mayBeOrigin(parseAddress(address)!, 443, nobody, own)

describe('an address that is not the public internet is closed on the server and on the edge', () => {
  const guard = makeOutboundGuard([])
  test.each(closed)('%s', async (address) => {
    expect([guard.mayReach(address), await guard.resolve(address), edgeMay(address)]).toEqual([false, [], false])
  })
})

describe('a public address is open on both', () => {
  const guard = makeOutboundGuard([])
  test.each([...open, ...openV6])('%s', (address) => {
    expect([guard.mayReach(address), edgeMay(address)]).toEqual([true, true])
  })
})

// Notations that an operating system accepts as an address without looking like one: never reached, whoever parses
// them.
test.each(['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0x7f000001', '017700000001', 'localhost', '[::1]'])(
  '%s bypasses neither guard',
  async (name) => {
    const guard = makeOutboundGuard([])
    expect(await guard.resolve(name.replace(/^\[|\]$/g, '')).catch(() => [])).toEqual([])
    const bytes = parseAddress(name)
    expect(bytes === undefined || !mayBeOrigin(bytes, 80, nobody, own)).toBe(true)
  },
)

describe('the machine’s own addresses', () => {
  const mine = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address))
  const edge = ownAddresses([...mine.map((address) => address.replace(/%.*/, '')), '198.41.0.4'], [8081, 8443])

  test('are closed on both, the public ones included', () => {
    const guard = makeOutboundGuard([])
    for (const address of mine) {
      expect([address, guard.mayReach(address)]).toEqual([address, false])
      expect(mayBeOrigin(parseAddress(address.replace(/%.*/, ''))!, 80, nobody, edge)).toBe(false)
    }
    expect(mayBeOrigin(parseAddress('198.41.0.4')!, 80, nobody, edge)).toBe(false)
    expect(mayBeOrigin(parseAddress('::ffff:198.41.0.4')!, 80, nobody, edge)).toBe(false)
  })

  test('are opened by the operator, except for the ports on which the edge answers', () => {
    const allowed = rangeSet(['127.0.0.0/8', '198.41.0.4', '::1'])
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '198.41.0.4']) {
      const bytes = parseAddress(address)!
      expect([address, mayBeOrigin(bytes, 3000, allowed, edge)]).toEqual([address, true])
      for (const port of [8081, 8443])
        expect([address, port, mayBeOrigin(bytes, port, allowed, edge)]).toEqual([address, port, false])
    }
  })
})
