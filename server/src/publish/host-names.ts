/** The host names that a site has from the platform. */

/** The host under which a site answers before its DNS points here. */
export const previewHost = (label: string): string => `${label}.localhost`

/** Whether a name could be a preview's: nobody's domain ends so, and none that was saved is served. */
export const isPreviewName = (name: string): boolean => /(^|\.)localhost$/.test(name)

/**
 * What a customer's DNS points at: the site's label in its group's, so that moving a site or losing a node never touches
 * a customer's record. Empty where the operator has no DNS zone for its edge: then an address is all there is to point at.
 */
export const cnameOf = (edgeDomain: string, siteLabel: string, groupLabel: string | undefined): string =>
  edgeDomain === '' || groupLabel === undefined ? '' : `${siteLabel}.${groupLabel}.${edgeDomain}`
