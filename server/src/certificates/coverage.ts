/** Which names a certificate covers. As in browsers, a wildcard matches exactly one label. */

/** Whether a certificate with these names covers a domain. A wildcard domain needs that very wildcard. */
export function covers(names: readonly string[], domain: string): boolean {
  const above = domain.startsWith('*.') ? domain : `*${domain.slice(domain.indexOf('.'))}`
  return names.some((name) => name === domain || name === above)
}
