/** Reads files of address data into one table: MMDB or lists (csv.ts), IPv4 and IPv6 in one file or in two. */
import { type AddressTable, countryNumber, placesOf, v4PlacesMax, v6PlacesMax } from '../edge/address-table.ts'
import { BadData } from './bad-data.ts'
import {
  type AddressDataKind,
  type AddressProblem,
  type ListedRange,
  type ListedRanges,
  plain,
  problemsMax,
  readCsv,
} from './csv.ts'
import { isMmdb, numberIn, openMmdb, textIn } from './mmdb.ts'

/** The share of a family's ranges that may overlap. */
const overlapsMax = 0.001

export type DataFile = { name: string; bytes: Uint8Array }
/** `line` is 0 if the problem concerns the whole file. */
export type DataProblem = AddressProblem & { file: string }

export type ReadData = {
  table: AddressTable
  /** Network names by network number. */
  names: Map<number, string>
  /** What an MMDB says about itself; '' and undefined for a list. */
  source: string
  builtAt: Date | undefined
}

/** Returns the data of the files, or their problems. If there are any, none of the data is used. */
export function readAddressData(
  kind: AddressDataKind,
  files: readonly DataFile[],
): { read: ReadData } | { problems: DataProblem[] } {
  const ranges: ListedRanges = { v4: [], v6: [] }
  const names = new Map<number, string>()
  const problems: DataProblem[] = []
  let source = ''
  let builtAt: Date | undefined
  for (const [at, { name, bytes }] of files.entries()) {
    if (!isMmdb(bytes)) {
      problems.push(...readCsv(kind, bytes, at, ranges, names).map((problem) => ({ file: name, ...problem })))
      continue
    }
    try {
      const said = readMmdb(kind, bytes, at, ranges, names)
      source ||= said.source
      builtAt ??= said.builtAt
    } catch (error) {
      if (!(error instanceof BadData)) throw error
      problems.push({ file: name, line: 0, reason: error.message })
    }
  }
  problems.push(...inOrder(ranges.v4, 4, files), ...inOrder(ranges.v6, 6, files))
  if (problems.length > 0) return { problems: problems.slice(0, problemsMax) }
  const table = { v4: placesOf(ranges.v4), v6: placesOf(ranges.v6) }
  const whole = (reason: string) => ({ problems: [{ file: files[0]?.name ?? '', line: 0, reason }] })
  if (ranges.v4.length + ranges.v6.length === 0) return whole('it has no ranges')
  if (table.v4.starts.length > v4PlacesMax || table.v6.starts.length > v6PlacesMax)
    return whole('it has more ranges than nodes can hold')
  return { read: { table, names, source, builtAt } }
}

function readMmdb(
  kind: AddressDataKind,
  bytes: Uint8Array,
  file: number,
  ranges: ListedRanges,
  names: Map<number, string>,
): { source: string; builtAt: Date | undefined } {
  const data = openMmdb(bytes)
  const numberOf = (record: Parameters<typeof textIn>[0]): number => {
    if (kind === 'countries') {
      const code = textIn(record, 'country', 'iso_code') || textIn(record, 'country_code')
      return /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? countryNumber(code) : 0
    }
    const asn = numberIn(record, 'autonomous_system_number')
    const name = textIn(record, 'autonomous_system_organization')
    if (asn !== 0 && name !== '' && !names.has(asn)) names.set(asn, plain(name))
    return asn
  }
  const place = { file, line: 0 }
  for (const range of data.ranges(4, numberOf)) ranges.v4.push({ ...range, ...place })
  for (const range of data.ranges(6, numberOf)) ranges.v6.push({ ...range, ...place })
  return { source: data.description || data.type, builtAt: data.builtAt }
}

/**
 * Sorts the ranges of a family and reports overlapping ones, since it is unclear which of them is meant. Published
 * lists have one or two overlaps; those are accepted, and the earlier range wins.
 */
function inOrder(ranges: ListedRange[], family: 4 | 6, files: readonly DataFile[]): DataProblem[] {
  ranges.sort((a, b) => a.from - b.from || a.line - b.line)
  // IPv6 addresses are cut to 48 bits, so one range may begin where the previous one ends.
  const shared = family === 4 ? 0 : 1
  const overlapping: ListedRange[] = []
  let end = -1
  for (const range of ranges) {
    if (range.from + shared <= end) overlapping.push(range)
    end = Math.max(end, range.to)
  }
  if (overlapping.length <= ranges.length * overlapsMax) return []
  return overlapping
    .slice(0, problemsMax)
    .map(({ file, line }) => ({ file: files[file]?.name ?? '', line, reason: 'it overlaps the range before' }))
}

/** One line per name, `number<tab>name`, in numeric order. */
export const nameLines = (names: ReadonlyMap<number, string>): string =>
  [...names]
    .sort(([a], [b]) => a - b)
    .map(([number, name]) => `${number}\t${name}\n`)
    .join('')
