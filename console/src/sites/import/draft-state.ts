/** A draft as a person edits it, and the body that comes of it. */
import { originOf, originText } from '@breakwater/contract/domains/domain-csv.ts'
import {
  type ImportDraft,
  ImportedSite,
  type ImportNote,
  type ImportOutcome,
} from '@breakwater/contract/import/site-import.ts'

/** What a draft carries beside names, domains and origins; each can be left out. */
export const carriedParts = [
  ...(['basic', 'originTimeouts', 'compression', 'tls', 'urlRedirects', 'proxyRewrites', 'customHeaders'] as const),
  ...(['cacheRules', 'bandwidthLimits', 'allowRules', 'denyRules'] as const),
] as const
export type CarriedPart = (typeof carriedParts)[number]

export type EditedDomain = { isOn: boolean; origins: string; domain: ImportedSite['domains'][number] }
export type EditedSite = {
  key: number
  isOn: boolean
  name: string
  domains: EditedDomain[]
  left: readonly CarriedPart[]
  site: ImportedSite
  notes: ImportNote[]
  /** How the last try to make it went. */
  outcome?: ImportOutcome | undefined
}

export const edited = (draft: ImportDraft): EditedSite[] =>
  draft.sites.map(({ site, notes }, key) => ({
    ...{ key, isOn: true, name: site.siteName, left: [], site, notes },
    domains: site.domains.map((domain) => ({
      isOn: true,
      origins: domain.upstreams.map(originText).join(' '),
      domain,
    })),
  }))

export const isCarried = ({ site }: EditedSite, part: CarriedPart): boolean => {
  const value = site[part]
  return Array.isArray(value) ? value.length > 0 : value !== undefined
}

/** What is sent of a site. Domains without an origin come switched off, as there is nothing to serve yet. */
function inputOf({ name, domains, left, site }: EditedSite) {
  const chosen = domains.filter(({ isOn }) => isOn)
  const names = chosen.map(({ domain }) => domain.name)
  const kept = Object.fromEntries(Object.entries(site).filter(([part]) => !left.some((one) => one === part)))
  const bound = <Module extends { domains: string[] }>(modules: Module[] = []) =>
    modules
      .map((module) => ({ ...module, domains: module.domains.filter((domain) => names.includes(domain)) }))
      .filter((module) => module.domains.length > 0)
  const { urlRedirects, proxyRewrites, customHeaders } = kept as Partial<ImportedSite>
  return {
    ...kept,
    ...{ urlRedirects: bound(urlRedirects), proxyRewrites: bound(proxyRewrites), customHeaders: bound(customHeaders) },
    siteName: name,
    domains: chosen.map(({ domain, origins }) => {
      const upstreams = origins
        .split(/[\s,]+/)
        .filter((text) => text !== '')
        .map(originOf)
      const wasBare = domain.upstreams.length === 0
      return { ...domain, upstreams, status: upstreams.length === 0 ? 0 : wasBare ? 1 : domain.status }
    }),
  }
}

export type Wrong = { domain: number | undefined; isName: boolean; reason: string }

/** The body of a site, or what is wrong with it; `domain` is its place in the edited one. */
export function bodyOf(site: EditedSite): { body?: ImportedSite; wrong: Wrong[] } {
  const found = ImportedSite.safeParse(inputOf(site))
  if (found.success) return { body: found.data, wrong: [] }
  return { wrong: found.error.issues.map(({ path, message }) => wrongAt(site, path.map(String), message)) }
}

/** What the server found wrong at fields of a site; refusals of no field are none of these. */
export const wrongOf = (site: EditedSite): Wrong[] =>
  (site.outcome?.error?.details ?? [])
    .filter(({ field }) => field !== '')
    .map(({ field, reason }) => wrongAt(site, field.split('.').slice(2), reason))

function wrongAt({ domains }: EditedSite, [part, index]: string[], reason: string): Wrong {
  const places = [...domains.keys()].filter((place) => domains[place]!.isOn)
  return { domain: part === 'domains' ? places[Number(index)] : undefined, isName: part === 'siteName', reason }
}
