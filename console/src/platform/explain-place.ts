/** The page that explains a request: within the current site, or else the one for all sites. */
import { usePlaces } from './places.ts'
import { useSiteHere } from './site-here.ts'

type Place = { to: string; search: Record<string, unknown> }

/** `site` is the site filter of an analysis page; inside a site it is that one. */
export function useExplainPlace(): (reference: string, site?: number | null) => Place {
  const places = usePlaces()
  const here = useSiteHere()
  return (reference, site) =>
    here
      ? { to: places.site(here.id, here.name), search: { tab: 'explain', reference } }
      : { to: places.explain, search: { reference, ...(site ? { site } : {}) } }
}
