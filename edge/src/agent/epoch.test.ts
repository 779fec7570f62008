/** Sites may change while a new epoch is being compared. */
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import { expect, test } from 'vitest'
import { compare, endComparison } from './epoch.ts'
import type { FeedLog } from './feed-log.ts'
import { addException, type State } from './state.ts'

const entry = (site: number, sequence: number, revision: number): FeedEntry => ({
  ...{ site, sequence, revision, hosts: [] },
  artefact: 'a'.repeat(64),
})

test('a site changed since the comparison began counts as known, and its exception stays reported', () => {
  const feedLog = {
    held: new Map([entry(1, 9, 3), entry(2, 8, 1)].map((one) => [one.site, one])),
  } as unknown as FeedLog
  const comparing = { until: 5, sites: [] }
  const state: State = { epoch: 2, after: 0, watermark: 0, exceptions: [], can: [], comparing }
  const page = [entry(1, 6, 4), entry(3, 7, 1)]
  expect(compare(state, feedLog, page)).toEqual(page)
  addException(state, { site: 3, revision: 1, reason: 'its secret is not there' })
  state.after = 7
  endComparison(state, feedLog)
  expect(state.exceptions.map(({ site, reason }) => [site, reason])).toEqual([
    [3, 'its secret is not there'],
    [2, 'the restored control plane does not know this site; this node keeps it'],
  ])
  expect(state.comparing).toBeUndefined()
})
