/** Address data that the operator chose (contract/src/edge/address-table.ts): unpacked for nginx, which maps it into memory. */
import { access, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { mappedTable, readTable, tableBytesMax } from '@breakwater/contract/edge/address-table.ts'
import type { NodeConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { fetchObjects, type Source } from './fetch-objects.ts'
import { writeDurably } from './files.ts'
import type { Layout } from './layout.ts'

const nameOf = (hash: string) => `${hash}.bin`

/** What of it a configuration names. */
export const addressDataOf = (configuration: NodeConfiguration | undefined): string[] =>
  Object.values(configuration?.addressData ?? {}).filter((hash) => hash !== undefined)

/** Writes what is not there yet. Throws where it cannot be had, or is no table. */
export async function keepAddressData(hashes: readonly string[], layout: Layout, source: Source): Promise<void> {
  const lacking: string[] = []
  for (const hash of hashes) if (!(await isThere(join(layout.addressData, nameOf(hash))))) lacking.push(hash)
  if (lacking.length === 0) return
  const found = await fetchObjects(lacking, source)
  for (const hash of lacking) {
    const bytes = await promisify(gunzip)(found.take(hash), { maxOutputLength: tableBytesMax })
    await writeDurably(join(layout.addressData, nameOf(hash)), mappedTable(readTable(bytes)), layout.readable)
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Removes all but these. A worker that still has one of the others mapped keeps it until it looks again. */
export async function forgetAddressData(keep: readonly string[], layout: Layout): Promise<void> {
  const names = new Set(keep.map(nameOf))
  for (const name of await readdir(layout.addressData))
    if (!names.has(name)) await rm(join(layout.addressData, name), { force: true })
}
