/** A site's document, which history, diff and restore read. The version for nodes is rendered from it (`render.ts`). */

/** Bodies of parts by the part's name. */
export type Bodies = Record<string, object>

/** A site's document: everything that is saved about it, in the form that people edit, by the names of its parts. */
export type SiteDocument = Bodies & { site: SiteBody }
export type SiteBody = {
  id: number
  label: string
  status: number
  name: string
  tags: string[]
  /** ISO 8601; null for never. */
  expiredAt: string | null
  isRemoved: boolean
}

/** A rule as saved. Times are ISO 8601. */
export type SavedRule = {
  id: number
  sort: number
  enabled: boolean
  mode: 'enforce' | 'observe'
  body: Record<string, unknown>
  bodyVersion: number
  memo: string
  createdBy: string
  expiresAt: string | null
  createdAt: string
}
