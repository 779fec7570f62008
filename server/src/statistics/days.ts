/** Closed days within a range, which are read instead of their hours. */
import type { ClickHouseClient } from '@clickhouse/client'
import { daySeconds } from '../events/close-days.ts'
import { queryRows } from '../events/store.ts'
import { type Asked, rangeClause } from './pieces.ts'
import type { Piece, Range } from './range.ts'

/** A day (epoch seconds, UTC) and the build that contains its sums. */
export type ClosedDay = { day: number; build: number }

/** The same pieces, with closed days instead of their hours. Sums of days have the same columns as sums of hours. */
export async function withDays(events: ClickHouseClient, pieces: Piece[], { narrowing }: Asked): Promise<Piece[]> {
  const hours = pieces.find(({ rollup }) => rollup === 'hour')
  if (narrowing.reads === 'rows' || !hours || !hasWholeDay(hours)) return pieces
  return splitDays(pieces, await closedDays(events, hours))
}

const hasWholeDay = ({ from, to }: Range) => Math.ceil(from / daySeconds) < Math.floor(to / daySeconds)

/** The closed days that lie completely within a range, in order. */
function closedDays(events: ClickHouseClient, { from, to }: Range): Promise<ClosedDay[]> {
  const within = rangeClause({ from, to: to - daySeconds + 1 }, '')
  return queryRows<ClosedDay>(
    events,
    `SELECT toUnixTimestamp(time) AS day, argMax(build, at) AS build FROM days_closed_v1 WHERE ${within.sql}
     GROUP BY time HAVING argMax(build, at) > 0 ORDER BY day`,
    within.params,
  )
}

/** Adjacent days become one piece. */
export function splitDays(pieces: Piece[], closed: ClosedDay[]): Piece[] {
  return pieces.flatMap((piece) => {
    if (piece.rollup !== 'hour') return [piece]
    const split: Piece[] = []
    let { from } = piece
    for (const { day, build } of closed) {
      const last = split.at(-1)
      if (last?.rollup === 'day' && last.to === day) {
        last.builds.push(build)
        last.to += daySeconds
      } else {
        if (from < day) split.push({ rollup: 'hour', from, to: day })
        split.push({ rollup: 'day', from: day, to: day + daySeconds, builds: [build] })
      }
      from = day + daySeconds
    }
    return from < piece.to ? [...split, { rollup: 'hour', from, to: piece.to }] : split
  })
}
