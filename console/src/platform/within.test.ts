import { expect, test, vi } from 'vitest'
import { chunkLoadMs, within } from './within.ts'

test('loading fails after two minutes', async () => {
  vi.useFakeTimers()
  const loading = within(new Promise(() => undefined))
  const failed = expect(loading).rejects.toThrow('not loaded within 120 s')
  await vi.advanceTimersByTimeAsync(chunkLoadMs)
  await failed
  vi.useRealTimers()
  await expect(within(Promise.resolve(7))).resolves.toBe(7)
})
