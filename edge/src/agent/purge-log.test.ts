import type { PurgeRecord } from '@breakwater/contract/edge/node-disk.ts'
import { expect, test } from 'vitest'
import { inForce } from './purge-log.ts'

const purge = (id: number, type: PurgeRecord['type'], ...values: string[]) => ({ id, site: 1, type, values })

test('the newest purge of each key stays, and a purge of the whole site replaces all earlier ones', () => {
  const kept = inForce([
    purge(1, 'url', 'a.test/1', 'a.test/2'),
    purge(2, 'tag', 'news'),
    purge(3, 'all'),
    purge(4, 'url', 'a.test/1'),
    purge(5, 'url', 'a.test/1', 'a.test/3'),
    { ...purge(1, 'url', 'b.test/1'), site: 2 },
  ])
  expect(kept).toEqual([
    { ...purge(1, 'url', 'b.test/1'), site: 2 },
    purge(3, 'all'),
    purge(5, 'url', 'a.test/1'),
    purge(5, 'url', 'a.test/3'),
  ])
})
