/** Puts off what surrounds a page until the page itself is drawn. */
import { queryClient } from '../platform/calls.ts'

/** How long rows that have arrived may take to be drawn, and how long calls may take, in ms. */
const drawnMs = 100
const waitsMs = 3_000

/**
 * Loads a part that is not what the page was opened for, after the calls that the page waits for are answered and drawn:
 * a slow processor would otherwise compile it first.
 */
export const afterCalls =
  <Loaded>(load: () => Promise<Loaded>) =>
  async (): Promise<Loaded> => {
    const until = performance.now() + waitsMs
    do await new Promise((done) => setTimeout(done, drawnMs))
    while (queryClient.isFetching() > 0 && performance.now() < until)
    return load()
  }
