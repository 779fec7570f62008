/**
 * The response header that names the revision that the call created, and its site. The site may differ from the one in
 * the path, and what somebody else saves meanwhile has another number. A dictionary of RFC 9651: `site=3, revision=12`.
 * Absent if the call published nothing or several sites, and on a repeated response (`Idempotency-Key`).
 */
export const siteRevisionHeader = 'x-site-revision'

export type SiteRevision = { siteId: number; revision: number }

export const formatSiteRevision = ({ siteId, revision }: SiteRevision): string => `site=${siteId}, revision=${revision}`

/** Returns undefined if the text is not such a header. */
export function parseSiteRevision(text: string | null): SiteRevision | undefined {
  const [, siteId, revision] = /^site=(\d+), revision=(\d+)$/.exec(text ?? '') ?? []
  return siteId === undefined ? undefined : { siteId: Number(siteId), revision: Number(revision) }
}
