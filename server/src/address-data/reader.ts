/**
 * The process that parses uploaded address data: `reader.ts <file> <second file or ''> <kind> <name> <second name>`.
 * Writes the result to its standard output.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { AddressDataKind } from '@breakwater/contract/address-data/csv.ts'
import { type DataFile, nameLines, readAddressData } from '@breakwater/contract/address-data/read.ts'
import { packTable, rangesIn } from '@breakwater/contract/edge/address-table.ts'
import type { ReadUpload } from './uploaded.ts'

/** The most bytes that a compressed file may unpack to. */
const unpackedMax = 134_217_728

const [path = '', secondPath = '', kind = '', name = '', secondName = ''] = process.argv.slice(2)
process.stdout.write(JSON.stringify(read()))

function read(): ReadUpload {
  const files: DataFile[] = []
  for (const [from, named] of [[path, name] as const, [secondPath, secondName] as const]) {
    if (from === '') continue
    const bytes = unpacked(readFileSync(from))
    if (bytes === undefined) return { problems: [{ file: named, line: 0, reason: 'it is damaged, or too long' }] }
    files.push({ name: named, bytes })
  }
  const found = readAddressData(kind as AddressDataKind, files)
  if ('problems' in found) return found
  const { table, names, source, builtAt } = found.read
  return {
    bytes: gzipSync(packTable(table)).toString('base64'),
    names: kind === 'networks' ? gzipSync(nameLines(names)).toString('base64') : null,
    ...{ v4: rangesIn(table.v4), v6: rangesIn(table.v6) },
    source,
    builtAt: builtAt?.toISOString() ?? null,
  }
}

function unpacked(bytes: Buffer): Uint8Array | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: unpackedMax })
  } catch {
    return undefined
  }
}
