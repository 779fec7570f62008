/** Parses the ban reports in a node's batch, each separately, so that an invalid one does not affect the others. */
import { BanReport, BanReports } from '@breakwater/contract/edge/bans.ts'
import { Fault } from '../http/fault.ts'
import { parse } from '../http/parse.ts'

const Named = BanReport.pick({ site: true, address: true })

export type ReadReports = {
  bans: BanReport[]
  /** The number of invalid reports, and those of them that at least name the site and address. */
  unreadable: number
  refused: { site: number; address: string }[]
}

/** Throws a Fault if the body is not a batch at all. */
export function readReports(body: unknown): ReadReports {
  const given = (body as { bans?: unknown } | null)?.bans
  // A text that cannot be stored must only fail its own report, so the batch is validated here without its items.
  const length = Array.isArray(given) ? given.length : 0
  parse(BanReports, { bans: Array.isArray(given) ? Array(length).fill(0) : given }, 'body')
  const read: ReadReports = { bans: [], unreadable: 0, refused: [] }
  for (const one of given as unknown[]) {
    try {
      read.bans.push(parse(BanReport, one, 'bans'))
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      read.unreadable += 1
      const named = Named.safeParse(one).data
      if (named) read.refused.push(named)
    }
  }
  return read
}
