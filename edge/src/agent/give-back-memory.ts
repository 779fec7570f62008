/**
 * Giving back what starting took. Reading the code leaves the heap twice as large as serving needs it, and the engine
 * looks for garbage only when more is wanted: at rest, never.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Until then whoever waited for the start has been answered: looking stops the process for a tenth of a second. */
const afterMs = 30_000

/** Frees unused memory once, a while after the start. */
export function giveBackMemory(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    collect()
    setFlagsFromString('--no-expose-gc')
  }, afterMs).unref()
}
