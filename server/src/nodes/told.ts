/**
 * What each node was told last. A page takes a node several questions to bring home; a site that is saved again meanwhile
 * has a newer artefact by then, and a node that were refused the one it was told of would never come to the end of a page
 * while the saving goes on.
 */

type Row = { siteId: number; artefact: Buffer | null }
/** Sites and the artefacts that the node was told of them, place by place. */
export type ToldPage = { sites: number[]; artefacts: Buffer[] }

/** The bytes of a hash. */
const hashBytes = 32

/**
 * Kept in memory, packed: a thousand nodes that start together are told half a thousand sites each. After a restart a node
 * is given the newest alone until it asks for a page, which it does soon.
 */
export class Told {
  private readonly pages = new Map<number, { sites: number[]; packed: Buffer }>()

  /** The page that a node is told takes the place of the one before. */
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

  of(nodeId: number): ToldPage {
    const { sites, packed } = this.pages.get(nodeId) ?? { sites: [], packed: Buffer.alloc(0) }
    return { sites, artefacts: sites.map((_, i) => packed.subarray(i * hashBytes, (i + 1) * hashBytes)) }
  }
}
