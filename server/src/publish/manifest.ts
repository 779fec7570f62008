/** What a revision names: the parts of a document by the hash of their canonical JSON; of a keyed part, each of its values. */
export type Manifest = { version: 2; parts: Record<string, string | Record<string, string>> }

/** The manifests of before, which named kinds of parts apart. */
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
