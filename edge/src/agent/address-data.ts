/**
 * Address data that the operator chose (contract/src/edge/address-table.ts), unpacked to files that nginx maps into
 * memory.
 */
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

/** Hashes of the address data that a configuration refers to. */
export const addressDataOf = (configuration: NodeConfiguration | undefined): string[] =>
  Object.values(configuration?.addressData ?? {}).filter((hash) => hash !== undefined)

/** Fetches and writes the tables missing on disk. Throws if one cannot be fetched or is not a valid table. */
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

/** Removes all files but these. A worker that has a removed file mapped keeps using it until it checks again. */
export async function forgetAddressData(keep: readonly string[], layout: Layout): Promise<void> {
  const names = new Set(keep.map(nameOf))
  for (const name of await readdir(layout.addressData))
    if (!names.has(name)) await rm(join(layout.addressData, name), { force: true })
}
