/** Countries and networks of addresses on the wire: the operator's data replaces the release's, without a reload. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AddressDataKind } from '@breakwater/contract/address-data/csv.ts'
import { readAddressData } from '@breakwater/contract/address-data/read.ts'
import { mappedTable } from '@breakwater/contract/edge/address-table.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { ask } from './transparent/ask.ts'

let box: Box
let origin: StubOrigin
const mode = 'enforce' as const

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response) => {
    response.setHeader('cache-control', 'max-age=60').end('origin')
  })
  box = await Box.start({ workers: 1 }, (disk) => {
    disk.feed(
      disk.site({
        ...{ hosts: ['site.test'], origins: [{ port: origin.port }], requires: ['regionRules'] },
        settings: { trustedProxies: ['127.0.0.1'] },
        firewall: {
          regionRules: [
            { id: 1, urlRegex: '^/country', countries: ['US'], isBlack: true, blockType: 0, mode },
            { id: 2, urlRegex: '^/network', countries: [], asns: [64_500], isBlack: true, blockType: 0, mode },
          ],
        },
      }),
    )
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

/** Writes a table to the node's disk, as the agent does. Returns its hash. */
function put(kind: AddressDataKind, csv: string): string {
  const found = readAddressData(kind, [{ name: 'a.csv', bytes: Buffer.from(csv) }])
  if (!('read' in found)) throw new Error(JSON.stringify(found.problems))
  const bytes = mappedTable(found.read.table)
  const hash = createHash('sha256').update(bytes).digest('hex')
  writeFileSync(join(box.settings.folder, 'address-data', `${hash}.bin`), bytes, { mode: 0o644 })
  return hash
}

let revision = 0
const configure = (addressData?: { countries?: string; networks?: string }) =>
  box.control('POST', '/configuration', {
    ...{ revision: ++revision, forceSSLRedirectCode: 301 },
    ...(addressData && { addressData }),
  })
const status = async (path: string, address: string) =>
  (await ask(box, '1.1', 'site.test', { path, headers: { 'x-forwarded-for': address } })).status

test('rules and rows switch to the operator’s data and back to the release’s without a restart', async () => {
  const workers = box.workers()
  // In the United States by the release's data, and not in AS 64500.
  expect([await status('/country', '8.8.8.8'), await status('/network', '8.8.8.8')]).toEqual([403, 200])
  expect(await status('/country', '2001:db8::1')).toBe(200)
  const countries = put('countries', '8.8.8.0,8.8.8.255,IS\n9.9.9.0,9.9.9.255,US\n2001:db8::,2001:db8:ffff:ffff::,US\n')
  const networks = put('networks', '8.8.8.0,8.8.8.127,64500,Own\n2001:db8:1::,2001:db8:2:ffff::,64500,Own\n')
  await configure({ countries, networks })
  expect([await status('/country', '8.8.8.8'), await status('/network', '8.8.8.8')]).toEqual([200, 403])
  expect([await status('/country', '9.9.9.9'), await status('/network', '8.8.8.128')]).toEqual([403, 200])
  expect(await status('/network', '2001:db8:2::1')).toBe(403)
  expect(await status('/network', '2001:db8:3::1')).toBe(200)
  expect(await status('/country', '2001:db8::1')).toBe(403)
  // Only the countries; networks come from the release.
  await configure({ countries })
  expect([await status('/country', '8.8.8.8'), await status('/network', '8.8.8.8')]).toEqual([200, 200])
  await configure()
  expect([await status('/country', '8.8.8.8'), await status('/network', '8.8.8.8')]).toEqual([403, 200])
  expect(box.workers()).toEqual(workers)
  await box.stop('SIGQUIT')
  const placed = box.rows().map(({ path, address, country, asn }) => [path, address, country, asn])
  expect(placed).toContainEqual(['/network', '8.8.8.8', 'US', 15_169])
  expect(placed).toContainEqual(['/network', '8.8.8.8', 'IS', 64_500])
  expect(placed).toContainEqual(['/country', '9.9.9.9', 'US', 0])
  expect(placed).toContainEqual(['/network', '2001:db8:3::1', 'US', 0])
})

test('missing or damaged data is refused, and the data in force stays, even after a restart', async () => {
  await box.boot()
  const countries = put('countries', '8.8.8.0,8.8.8.255,IS\n')
  await configure({ countries })
  await expect(configure({ countries: '0'.repeat(64) })).rejects.toThrow('is missing')
  writeFileSync(join(box.settings.folder, 'address-data', `${'1'.repeat(64)}.bin`), 'BWADDRM1 and then nothing', {
    mode: 0o644,
  })
  await expect(configure({ countries: '1'.repeat(64) })).rejects.toThrow('damaged')
  expect(await status('/country', '8.8.8.8')).toBe(200)
})
