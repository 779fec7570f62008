/**
 * What each node was told last. A page takes a node several questions to bring home; a site that is saved again meanwhile
 * has a newer artefact by then, and a node that were refused the one it was told of would never come to the end of a page
 * while the saving goes on.
 */

type Row = { siteId: number; artefact: Buffer | null }
/** Sites and the artefacts that the node was told of them, place by place. */
export type ToldPage = { sites: number[]; artefacts: Buffer[] }

const nothing: ToldPage = { sites: [], artefacts: [] }

/** Kept in memory: after a restart a node is given the newest alone until it asks for a page, which it does soon. */
export class Told {
  private readonly pages = new Map<number, ToldPage>()

  /** The page that a node is told takes the place of the one before. */
  note(nodeId: number, rows: readonly Row[]): void {
    const live = rows.filter((row): row is Row & { artefact: Buffer } => row.artefact !== null)
    if (live.length === 0) this.pages.delete(nodeId)
    else
      this.pages.set(nodeId, {
        sites: live.map(({ siteId }) => siteId),
        artefacts: live.map(({ artefact }) => artefact),
      })
  }

  of(nodeId: number): ToldPage {
    return this.pages.get(nodeId) ?? nothing
  }
}
