import { expect, test } from 'vitest'
import { resolveRange } from './time-range.ts'

const now = Date.UTC(2026, 10, 21, 3, 7, 41)
const at = (hour: number, minute: number) => Date.UTC(2026, 10, 21, hour, minute) / 1000

test('a live range ends now and keeps its start; a selected one stays', () => {
  const live = resolveRange({ range: '6h' }, now, true)
  expect(live).toEqual({ ...resolveRange({ range: '6h' }, now), endTime: Math.floor(now / 10_000) * 10 })
  const drawn = { range: '6h', from: now / 1000 - 7200, to: now / 1000 - 3600 }
  expect(resolveRange(drawn, now, true)).toEqual(resolveRange(drawn, now))
})

test('both ends are rounded down to five minutes', () => {
  expect(resolveRange({ range: '6h' }, now)).toMatchObject({ endTime: at(3, 5), startTime: at(-3, 5) })
})

test('an hour has steps of a minute', () => {
  expect(resolveRange({ range: '1h' }, now)).toEqual({ startTime: at(2, 7), endTime: at(3, 7), minutesStep: 1 })
})

test('a range that rounding would make empty is one bucket wide', () => {
  const state = { range: '24h', from: at(1, 0) + 10, to: at(1, 0) + 20 } as const
  expect(resolveRange(state, now)).toMatchObject({ startTime: at(0, 59), endTime: at(1, 0) })
})

test('no chart has more points than it can show', () => {
  for (const range of ['15m', '1h', '6h', '24h', '7d', '30d'] as const) {
    const { startTime, endTime, minutesStep } = resolveRange({ range }, now)
    expect((endTime - startTime) / 60 / minutesStep).toBeLessThanOrEqual(300)
  }
})
