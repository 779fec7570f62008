/**
 * The header of an answer that names the revision which the call made, and of which site: it may be another than the one in
 * the path, and what somebody else saves meanwhile has another number. A dictionary of RFC 9651: `site=3, revision=12`.
 * Absent where the call published nothing or several sites, and of a repeated answer (`Idempotency-Key`).
 */
export const siteRevisionHeader = 'x-site-revision'

export type SiteRevision = { siteId: number; revision: number }

export const formatSiteRevision = ({ siteId, revision }: SiteRevision): string => `site=${siteId}, revision=${revision}`

/** Nothing where the text is no such header's. */
export function parseSiteRevision(text: string | null): SiteRevision | undefined {
  const [, siteId, revision] = /^site=(\d+), revision=(\d+)$/.exec(text ?? '') ?? []
  return siteId === undefined ? undefined : { siteId: Number(siteId), revision: Number(revision) }
}
