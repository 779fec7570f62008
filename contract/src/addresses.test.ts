import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatAddress, formatRange, IpList, parseAddress, parseRange } from './addresses.ts'
import { encodeIpSet } from './edge/ip-set.ts'

const text = (entry: string) => {
  const range = parseRange(entry)
  return range && formatRange(range)
}

describe('an address entry', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.7/24', '192.0.2.0/24'],
    ['192.0.2.0-192.0.2.255', '192.0.2.0/24'],
    ['192.0.2.1 - 192.0.2.9', '192.0.2.1-192.0.2.9'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::/0', '::/0'],
  ])('%s reads as %s', (entry, canonical) => expect(text(entry)).toBe(canonical))

  test.each([
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.4/33',
    '1.2.3.4/-1',
    '1.2.3.4-1.2.3.3',
    '1.2.3.4-::1',
    'a',
    '::1::2',
    '1:2',
    '2130706433',
    '0x7f.1',
    '1.2.3.4-5-6',
    '::1%eth0',
  ])('%s is rejected', (entry) => expect(parseRange(entry)).toBeUndefined())

  test('every address survives formatting and parsing', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 32n - 1n), (value) => parseAddress(formatAddress(4, value))?.value === value),
    )
    fc.assert(
      fc.property(fc.bigInt(2n ** 48n, 2n ** 128n - 1n), (value) => {
        const back = parseAddress(formatAddress(6, value))
        return back?.family === 6 && back.value === value
      }),
    )
  })
})

describe('an address list', () => {
  const reasonOf = (lines: string[]) => IpList.safeParse(lines).error?.issues[0]

  test('is trimmed, without blank lines, in canonical form', () => {
    expect(IpList.parse([' 192.0.2.1 ', '', '2001:DB8::1'])).toEqual(['192.0.2.1', '2001:db8::1'])
  })

  test('is rejected if empty, too long, with an invalid line or with a duplicate line, in that order', () => {
    expect(reasonOf(['', ' '])?.message).toBe('required')
    const many = Array.from({ length: 5001 }, (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
    expect(reasonOf(many)?.message).toBe('max5000IPs')
    expect(reasonOf(many.slice(1))).toBeUndefined()
    expect(reasonOf(['192.0.2.1', 'nonsense'])).toMatchObject({ message: 'wrongFormat', path: [1] })
    expect(reasonOf(['192.0.2.0/24', '192.0.2.9/24'])).toMatchObject({ message: 'duplicateIP', path: [1] })
  })

  test('becomes sorted, merged ranges for a node', () => {
    const bytes = encodeIpSet(['10.0.0.3', '10.0.0.1-10.0.0.2', '2001:db8::1'])
    const view = new DataView(bytes.buffer)
    expect([view.getUint32(8, true), view.getUint32(12, true)]).toEqual([1, 1])
    expect([view.getUint32(16, true), view.getUint32(20, true)]).toEqual([0x0a000001, 0x0a000003])
    expect(bytes.length).toBe(16 + 8 + 32)
  })
})
