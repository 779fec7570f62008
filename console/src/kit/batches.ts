/** A bulk action on many rows: in batches, one after the other, with failures reported row by row. */
import { useState } from 'react'
import { Fault } from '../platform/fault.ts'
import { surfaceOf } from './error-surface.ts'
import { showFault, showList } from './faults.tsx'

/** The most ids that a call takes. */
export const batchSize = 500

export type Progress = { done: number; of: number }

/**
 * Runs an action on rows, `size` of them at a time; 1 for a call that takes one. Returns true if all of them succeeded;
 * otherwise the refusals are shown together (101009).
 */
export type RunBatches<Row> = (
  rows: readonly Row[],
  act: (batch: Row[]) => Promise<unknown>,
  size?: number,
) => Promise<boolean>

type Refusal = { code: number; message: string; targets: string[]; extra?: unknown }

/** Merges refusals with the same reason into one line with all their targets. */
export function together(refusals: readonly Refusal[]): Refusal[] {
  const byReason = new Map<string, Refusal>()
  for (const refusal of refusals) {
    const reason = JSON.stringify([refusal.code, refusal.extra])
    const same = byReason.get(reason)
    byReason.set(reason, { ...refusal, targets: [...(same?.targets ?? []), ...refusal.targets] })
  }
  return [...byReason.values()]
}

export function useBatches<Row>(nameOf: (row: Row) => string): [Progress | undefined, RunBatches<Row>] {
  const [progress, setProgress] = useState<Progress>()
  async function run(rows: readonly Row[], act: (batch: Row[]) => Promise<unknown>, size = batchSize) {
    const refusals: Refusal[] = []
    try {
      for (let from = 0; from < rows.length; from += size) {
        const batch = rows.slice(from, from + size)
        setProgress({ done: from, of: rows.length })
        try {
          await act(batch)
        } catch (fault) {
          // A single batch shows its own error; with several, the remaining ones continue.
          if (rows.length <= size || !(fault instanceof Fault) || surfaceOf(fault) === 'signIn') {
            await showFault(fault)
            return false
          }
          const { code, message, errorData, extra } = fault
          refusals.push(...(errorData.length > 0 ? errorData : [{ code, message, extra, targets: batch.map(nameOf) }]))
        }
      }
    } finally {
      setProgress(undefined)
    }
    if (refusals.length === 0) return true
    showList(new Fault({ code: 101009, status: 400, errors: together(refusals) }))
    return false
  }
  return [progress, run]
}
