/** The reports of bans in a node's batch, each judged by itself: one that is none takes no other with it. */
import { BanReport, BanReports } from '@breakwater/contract/edge/bans.ts'
import { Fault } from '../http/fault.ts'
import { parse } from '../http/parse.ts'

const Named = BanReport.pick({ site: true, address: true })

export type ReadReports = {
  bans: BanReport[]
  /** Reports that are none: how many, and those that say at least whom they are about. */
  unreadable: number
  refused: { site: number; address: string }[]
}

/** Throws a Fault where it is no batch at all. */
export function readReports(body: unknown): ReadReports {
  const given = (body as { bans?: unknown } | null)?.bans
  // A text that cannot be stored is one report's affair, too: the batch is looked at without what it holds.
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
