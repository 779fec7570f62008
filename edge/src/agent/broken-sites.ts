/** Sites that nginx cannot read from disk any more, as it says when it is asked how it is. */
import type { NginxState } from '@breakwater/contract/edge/node-disk.ts'

export type BrokenSites = {
  note(state: NginxState): void
  /** Those noted since the last time, with nginx's reasons. */
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
