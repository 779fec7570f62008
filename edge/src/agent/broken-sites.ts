/** Sites that nginx can no longer read from disk, as reported in its state. */
import type { NginxState } from '@breakwater/contract/edge/node-disk.ts'

export type BrokenSites = {
  note(state: NginxState): void
  /** The sites noted since the last call, with nginx's reasons. */
  take(): Map<number, string>
}

export function brokenSites(): BrokenSites {
  let found = new Map<number, string>()
  return {
    note({ broken }) {
      for (const { site, reason } of broken) found.set(site, reason)
    },
    take() {
      const taken = found
      found = new Map()
      return taken
    },
  }
}
