/** Which names a certificate covers: as browsers read it, a star stands for exactly one label. */

/** Whether a certificate of these names is one for a domain. A wildcard domain needs the very wildcard. */
export function covers(names: readonly string[], domain: string): boolean {
  const above = domain.startsWith('*.') ? domain : `*${domain.slice(domain.indexOf('.'))}`
  return names.some((name) => name === domain || name === above)
}
