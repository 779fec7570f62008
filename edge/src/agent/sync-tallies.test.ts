import type { NginxTallies, NodeTallies, TalliesReply } from '@breakwater/contract/edge/tallies.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { syncTallies, type TallyParts } from './sync-tallies.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const key = { key: 'MTo3OmFiY2Q=', amount: 2, seconds: 0 }

/** Runs the exchange for this many seconds; returns what was told, with the second it was told in. */
async function run(seconds: number, { nodes, requests }: { nodes: number; requests: (second: number) => number }) {
  let second = 0
  const told: [number, NodeTallies][] = []
  const parts = {
    nginx: {
      tallies: async (): Promise<NginxTallies> => ({
        sites: [{ site: 5, requests: requests(second++), asked: 0, failures: 0, threshold: 100 }],
        keys: [key],
        attacks: [],
      }),
    },
    plane: {
      post: async (_path: string, body: unknown): Promise<TalliesReply> => {
        told.push([second, body as NodeTallies])
        return { nodes, sites: [], keys: [], usual: told.length > 1 ? [{ site: 5, rate: 3 }] : [] }
      },
    },
  } as unknown as TallyParts
  const stop = new AbortController()
  const running = syncTallies(parts, stop.signal)
  await vi.advanceTimersByTimeAsync(seconds * 1000)
  stop.abort()
  await running
  // The beat that nobody waits for any more: the next test has timers of its own.
  await vi.advanceTimersByTimeAsync(1000)
  return told
}

test('nodes of the same sites tell each other every second what they counted', async () => {
  const told = await run(20, { nodes: 2, requests: () => 1 })
  expect(told.length).toBeGreaterThanOrEqual(20)
  expect(told.every(([, { sites, keys }]) => sites.length === 1 && keys.length === 1)).toBe(true)
})

test('a node that is alone tells nobody, until it learns usual rates and every 15 s to see whether it still is', async () => {
  const told = await run(50, { nodes: 1, requests: () => 1 })
  expect(told.map(([second]) => second)).toEqual([1, 2, 17, 32, 47])
})

test('a node that is alone tells at once that an attack begins, and keeps telling while it lasts', async () => {
  const told = await run(12, { nodes: 1, requests: (second) => (second < 5 ? 1 : 1000) })
  const attacks = told.filter(([, told]) => told.attacks.length > 0).map(([second]) => second)
  expect(attacks).toEqual([8, 9, 10, 11, 12, 13])
})
