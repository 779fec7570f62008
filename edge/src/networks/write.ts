/**
 * Makes the file of networks, and that of their names, which the control plane reads, beside the compiled request path, from
 * the npm package that has the data.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { encodeNetworks, namesOf, readNetworks } from './table.ts'

/** IPv4 and IPv6 networks of the data as they were last looked at; a release whose data has a fifth more or less is looked at first. */
const looked = { v4: 411_961, v6: 103_197 }

const folder = dirname(createRequire(import.meta.url).resolve('@ip-location-db/asn/package.json'))
const target = join(import.meta.dirname, '../../lua/networks.bin')
const namesFile = join(import.meta.dirname, '../../lua/networks.names')
const version = `${target}.version`
const wanted =
  readFileSync(join(folder, 'package.json'), 'utf8') + readFileSync(join(import.meta.dirname, 'table.ts'), 'utf8')

if (!existsSync(target) || !existsSync(namesFile) || !existsSync(version) || readFileSync(version, 'utf8') !== wanted) {
  const lists = [4, 6].map((family) => readFileSync(join(folder, `asn-ipv${family}-num.csv`), 'utf8'))
  const v4 = readNetworks(lists[0]!, 4)
  const v6 = readNetworks(lists[1]!, 6)
  const isOdd = (count: number, expected: number) => Math.abs(count / expected - 1) > 0.2
  if (isOdd(v4.length, looked.v4) || isOdd(v6.length, looked.v6))
    throw new Error(`the data has ${v4.length} and ${v6.length} networks: look at it, then change the numbers here`)
  writeFileSync(`${target}.new`, encodeNetworks(v4, v6))
  renameSync(`${target}.new`, target)
  writeFileSync(`${namesFile}.new`, namesOf(...lists))
  renameSync(`${namesFile}.new`, namesFile)
  writeFileSync(version, wanted)
}
