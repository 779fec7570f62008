/** The address data that came with the release: files that the build of the edge makes, the very ones that nodes have. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AddressDataKind } from '@breakwater/contract/address-data/csv.ts'
import { type ReleaseData, ReleaseFacts } from '@breakwater/contract/address-data/release.ts'
import { type AddressTable, readTable } from '@breakwater/contract/edge/address-table.ts'

const folder = join(import.meta.dirname, '../../../edge/lua')

let facts: Record<AddressDataKind, ReleaseData> | undefined

/** What it is. */
export function releaseData(): Record<AddressDataKind, ReleaseData> {
  facts ??= ReleaseFacts.parse(JSON.parse(readFileSync(join(folder, 'address-data.json'), 'utf8')))
  return facts
}

export const releaseTable = async (kind: AddressDataKind): Promise<AddressTable> =>
  readTable(await readFile(join(folder, `${kind}.bin`)))
