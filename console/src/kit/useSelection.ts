/** Which rows of a list are chosen: some of this page, or all that match. */
import { useCallback, useEffect, useMemo, useState } from 'react'
import { showFault } from './faults.tsx'

type Key = number | string
type Page<Row> = { data: Row[]; total: number }
/** Reads one page of all that match. */
export type ReadPage<Row> = (page: number, pageSize: number) => Promise<Page<Row>>

const pageSize = 500

export type Selection<Row> = {
  rows: Row[]
  has: (row: Row) => boolean
  flip: (row: Row) => void
  /** Chooses all of this page, or none. */
  flipPage: (on: boolean) => void
  /** Chooses all that match, page by page, as they are now: rows that come later are not among them. */
  everything: (read: ReadPage<Row>) => Promise<void>
  /** How many have been read of all that match, while they are. */
  reading: number | undefined
  clear: () => void
}

/** `question` is what the list was asked: another one chooses nothing. */
export function useSelection<Row>(
  rows: readonly Row[] | undefined,
  keyOf: (row: Row) => Key,
  question: string,
): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<Key, Row>>(new Map())
  const [reading, setReading] = useState<number>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question is the reason
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

  // Stays the same while rows are chosen, so that the rows that did not change are not drawn again.
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
