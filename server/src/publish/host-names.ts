/** The host names that the platform gives a site. */

/** The host at which a site can be reached before its DNS points here. */
export const previewHost = (label: string): string => `${label}.localhost`

/** Whether a name could be a preview host: no real domain ends like this, and none that was saved is served. */
export const isPreviewName = (name: string): boolean => /(^|\.)localhost$/.test(name)

/**
 * The target of a customer's CNAME: the site's label under its group's, so that moving a site or losing a node never
 * changes a customer's record. Empty if the operator has no DNS zone for its edge: then customers can only point at an
 * address.
 */
export const cnameOf = (edgeDomain: string, siteLabel: string, groupLabel: string | undefined): string =>
  edgeDomain === '' || groupLabel === undefined ? '' : `${siteLabel}.${groupLabel}.${edgeDomain}`
