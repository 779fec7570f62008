/** The rows of changes that are rolled out to a group's nodes in steps. */
import type { Vitals } from '@breakwater/contract/edge/node-api.ts'
import type { ColumnType, Generated } from 'kysely'
import type { Moment, NullableMoment } from './columns.ts'

/** A node's vitals at an earlier time; `at` is in epoch ms. */
export type Sample = { at: number; vitals: Vitals }

/** By node, its vitals some minutes before a step, if reported, and when the step began. */
export type Baseline = Record<string, { before: Vitals | null; start: Vitals | null }>

export type RolloutTables = {
  rollouts: {
    id: Generated<number>
    operatorId: number
    groupId: number
    action: string
    summary: Generated<string>
    actor: string
    state: Generated<'running' | 'done' | 'returned'>
    step: Generated<'canary' | 'tenth' | 'all'>
    nodes: number[]
    tenth: number[]
    sites: Generated<number>
    sequence: Generated<number>
    baseline: ColumnType<Baseline, string | undefined, string>
    reason: Generated<string>
    startedAt: Moment
    stepAt: Moment
    readyAt: NullableMoment
    endedAt: NullableMoment
  }
  rolloutEntries: {
    rolloutId: number
    groupId: number
    siteId: number
    sequence: number
    revision: number
    artefact: Buffer
    hosts: string[]
  }
  returnedSites: { groupId: number; siteId: number; revision: number; rolloutId: number }
}
