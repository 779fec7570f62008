/**
 * The page of the feed that each node was served last. A node fetches the objects of a page in several requests. A site
 * that is saved meanwhile has a newer artefact by then; were the node refused the one on its page, it would never finish
 * a page while people keep saving.
 */

type Row = { siteId: number; artefact: Buffer | null }
/** Sites and the artefacts that the node was served for them, by index. */
export type ServedPage = { sites: number[]; artefacts: Buffer[] }

/** The bytes of a hash. */
const hashBytes = 32

/**
 * Kept in memory, packed: a thousand nodes that start together are served five hundred sites each. After a restart a node
 * is given the newest alone until it asks for a page, which it does soon.
 */
export class ServedPages {
  private readonly pages = new Map<number, { sites: number[]; packed: Buffer }>()

  /** A node's page replaces the one before. */
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
