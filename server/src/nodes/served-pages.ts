/**
 * The feed page that each node was served last. A node fetches the objects of a page in several requests. A site saved
 * in the meantime already has a newer artefact; if the node could not get the one on its page, it would never finish a
 * page while people keep saving.
 */

type Row = { siteId: number; artefact: Buffer | null }
/** Sites and the artefacts that the node was served for them, in the same order. */
export type ServedPage = { sites: number[]; artefacts: Buffer[] }

/** The length of a hash in bytes. */
const hashBytes = 32

/**
 * Kept in memory in packed form: a thousand nodes that start together are served five hundred sites each. After a
 * restart a node gets only the newest objects until it requests a page, which it soon does.
 */
export class ServedPages {
  private readonly pages = new Map<number, { sites: number[]; packed: Buffer }>()

  /** Replaces the node's previous page. */
  note(nodeId: number, rows: readonly Row[]): void {
    const sites: number[] = []
    const artefacts: Buffer[] = []
    for (const { siteId, artefact } of rows) {
      if (artefact === null) continue
      sites.push(siteId)
      artefacts.push(artefact)
    }
    if (sites.length === 0) this.pages.delete(nodeId)
    else this.pages.set(nodeId, { sites, packed: Buffer.concat(artefacts) })
  }

  of(nodeId: number): ServedPage {
    const { sites, packed } = this.pages.get(nodeId) ?? { sites: [], packed: Buffer.alloc(0) }
    return { sites, artefacts: sites.map((_, i) => packed.subarray(i * hashBytes, (i + 1) * hashBytes)) }
  }
}
