/**
 * Frees the memory used at startup. Loading the code leaves the heap twice as large as running needs, and the engine
 * collects garbage only when it needs more memory: never while idle.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then the first requests have been answered: the collection stops the process for a tenth of a second. */
const afterMs = 30_000

/** Frees unused memory once, some time after the start. */
export function giveBackMemory(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    collect()
    setFlagsFromString('--no-expose-gc')
  }, afterMs).unref()
}
