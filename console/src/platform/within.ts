/** Loading that takes too long ends as an error that can be retried, instead of a page that never loads. */

/** How long a part of the console may take to load (constants, chunk load). */
export const chunkLoadMs = 120_000

export function within<T>(work: Promise<T>, ms = chunkLoadMs): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not loaded within ${ms / 1000} s`)), ms)
  })
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}
