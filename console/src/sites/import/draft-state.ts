/** A draft as edited, and the request body that results from it. */
import { originOf, originText } from '@breakwater/contract/domains/domain-csv.ts'
import {
  type ImportDraft,
  ImportedSite,
  type ImportNote,
  type ImportOutcome,
} from '@breakwater/contract/import/site-import.ts'

/** What a draft contains besides names, domains and origins; each part can be left out. */
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
  /** The result of the last attempt to create it. */
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

/** The request body of a site. Domains without an origin are disabled, as there is nothing to serve yet. */
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

/** Returns the body of a site, or its errors; `domain` is the position in the edited site. */
export function bodyOf(site: EditedSite): { body?: ImportedSite; wrong: Wrong[] } {
  const found = ImportedSite.safeParse(inputOf(site))
  if (found.success) return { body: found.data, wrong: [] }
  return { wrong: found.error.issues.map(({ path, message }) => wrongAt(site, path.map(String), message)) }
}

/** The server's errors on fields of a site; those without a field are not included. */
export const wrongOf = (site: EditedSite): Wrong[] =>
  (site.outcome?.error?.details ?? [])
    .filter(({ field }) => field !== '')
    .map(({ field, reason }) => wrongAt(site, field.split('.').slice(2), reason))

function wrongAt({ domains }: EditedSite, [part, index]: string[], reason: string): Wrong {
  const places = [...domains.keys()].filter((place) => domains[place]!.isOn)
  return { domain: part === 'domains' ? places[Number(index)] : undefined, isName: part === 'siteName', reason }
}
