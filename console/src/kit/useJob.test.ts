import { expect, test, vi } from 'vitest'
import { readUntil } from './useJob.ts'

test('a job is polled until it is over, and each state is reported', async () => {
  const told: number[] = []
  let n = 0
  const end = await readUntil(
    async () => ++n,
    (state) => state === 3,
    (state) => told.push(state),
    1,
  )
  expect([end, told]).toEqual([3, [1, 2, 3]])
})

test('a single missing response is tolerated, five in a row are not', async () => {
  const broken = new Error('away')
  const flaky = vi.fn<() => Promise<string>>()
  flaky.mockRejectedValueOnce(broken).mockRejectedValueOnce(broken).mockResolvedValue('over')
  expect(
    await readUntil(
      flaky,
      () => true,
      () => undefined,
      1,
    ),
  ).toBe('over')
  const dead = vi.fn(() => Promise.reject(broken))
  await expect(
    readUntil(
      dead,
      () => true,
      () => undefined,
      1,
    ),
  ).rejects.toBe(broken)
  expect(dead).toHaveBeenCalledTimes(5)
})
