/** The address data that ships with the release: files made by the build of the edge, the same that nodes have. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AddressDataKind } from '@breakwater/contract/address-data/csv.ts'
import { type ReleaseData, ReleaseFacts } from '@breakwater/contract/address-data/release.ts'
import { type AddressTable, readTable } from '@breakwater/contract/edge/address-table.ts'

const folder = join(import.meta.dirname, '../../../edge/lua')

let facts: Record<AddressDataKind, ReleaseData> | undefined

/** The release's credit lines, sources and dates, by kind. */
export function releaseData(): Record<AddressDataKind, ReleaseData> {
  facts ??= ReleaseFacts.parse(JSON.parse(readFileSync(join(folder, 'address-data.json'), 'utf8')))
  return facts
}

export const releaseTable = async (kind: AddressDataKind): Promise<AddressTable> =>
  readTable(await readFile(join(folder, `${kind}.bin`)))
