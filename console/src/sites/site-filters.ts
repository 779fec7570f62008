/** The filters of site lists: in the URL, and as the calls expect them. */
import { siteStatuses } from '@breakwater/contract/sites/operator-sites.ts'
import { z } from 'zod'

/** The numbers of the API. */
export const statusCodes = { ...siteStatuses, expired: 3 } as const

const Text = z.string().max(256).catch('')
export const SiteFilterSearch = z.object({
  siteName: Text,
  status: Text,
  tag: Text,
  /** Only in the operator's list. */
  productName: Text,
})
export type SiteFilterState = z.output<typeof SiteFilterSearch>

export const filterNames = ['status', 'tag', 'productName'] as const
export const unfiltered: SiteFilterState = { siteName: '', status: '', tag: '', productName: '' }
export const isFiltered = (state: SiteFilterState): boolean =>
  state.siteName !== '' || filterNames.some((name) => state[name] !== '')

/** Returns the query of the calls. */
export function siteQuery({ siteName, status, tag, productName }: SiteFilterState) {
  const code = statusCodes[status as keyof typeof statusCodes]
  return {
    siteName,
    ...(code === undefined ? {} : { status: code }),
    ...(tag ? { tags: [tag] } : {}),
    ...(productName ? { productName } : {}),
  }
}

export type SiteFilterProps = {
  state: SiteFilterState
  go: (patch: Partial<SiteFilterState> & { page: number }, options?: { replace?: boolean }) => void
}
