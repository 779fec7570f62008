/** Which rows of a list are selected: some of this page, or all matching ones. */
import { useCallback, useEffect, useMemo, useState } from 'react'
import { showFault } from './faults.tsx'

type Key = number | string
type Page<Row> = { data: Row[]; total: number }
/** Fetches one page of all matching rows. */
export type ReadPage<Row> = (page: number, pageSize: number) => Promise<Page<Row>>

const pageSize = 500

export type Selection<Row> = {
  rows: Row[]
  has: (row: Row) => boolean
  flip: (row: Row) => void
  /** Selects all rows of this page, or none. */
  flipPage: (on: boolean) => void
  /** Selects all rows that match now, page by page: later ones are not included. */
  everything: (read: ReadPage<Row>) => Promise<void>
  /** How many of the matching rows have been fetched, while fetching. */
  reading: number | undefined
  clear: () => void
}

/** `question` is the query of the list: a new one clears the selection. */
export function useSelection<Row>(
  rows: readonly Row[] | undefined,
  keyOf: (row: Row) => Key,
  question: string,
): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<Key, Row>>(new Map())
  const [reading, setReading] = useState<number>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the query changed
  useEffect(() => setChosen((before) => (before.size === 0 ? before : new Map())), [question])

  const fresh = useMemo(() => {
    const now = new Map(rows?.map((row) => [keyOf(row), row]))
    return [...chosen].map(([key, row]) => now.get(key) ?? row)
  }, [chosen, rows, keyOf])

  async function everything(read: ReadPage<Row>) {
    const all = new Map<Key, Row>()
    try {
      for (let page = 1; ; page++) {
        setReading(all.size)
        const { data, total } = await read(page, pageSize)
        for (const row of data) all.set(keyOf(row), row)
        if (data.length < pageSize || all.size >= total) break
      }
      setChosen(all)
    } catch (fault) {
      await showFault(fault)
    } finally {
      setReading(undefined)
    }
  }

  // Stable while the selection changes, so that unchanged rows do not render again.
  const flip = useCallback(
    (row: Row) =>
      setChosen((before) => {
        const next = new Map(before)
        if (!next.delete(keyOf(row))) next.set(keyOf(row), row)
        return next
      }),
    [keyOf],
  )
  return {
    rows: fresh,
    has: (row) => chosen.has(keyOf(row)),
    flip,
    flipPage: (on) => setChosen(new Map(on ? rows?.map((row) => [keyOf(row), row]) : [])),
    everything,
    reading,
    clear: () => setChosen(new Map()),
  }
}
