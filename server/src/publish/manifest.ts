/**
 * The manifest of a revision: the parts of a document by the hash of their canonical JSON; for a keyed part, of each of
 * its values.
 */
export type Manifest = { version: 2; parts: Record<string, string | Record<string, string>> }

/** The older manifest format, which listed kinds of parts separately. */
export type ManifestBefore = {
  version: 1
  site: string
  settings: string
  domains: string
  rules: Record<string, string>
  modules: Record<string, string>
}

export const upgradeManifest = ({ rules, site, settings, domains, modules }: ManifestBefore): Manifest => ({
  version: 2,
  parts: { site, settings, domains, modules, ...rules },
})
