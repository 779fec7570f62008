/** What lists of sites are filtered by: in the address, and as the calls want it. */
import { siteStatuses } from '@breakwater/contract/sites/operator-sites.ts'
import { z } from 'zod'

/** As the calls number them. */
export const statusCodes = { ...siteStatuses, expired: 3 } as const

const Text = z.string().max(256).catch('')
export const SiteFilterSearch = z.object({
  siteName: Text,
  status: Text,
  tag: Text,
  /** The operator's list only. */
  productName: Text,
})
export type SiteFilterState = z.output<typeof SiteFilterSearch>

export const filterNames = ['status', 'tag', 'productName'] as const
export const unfiltered: SiteFilterState = { siteName: '', status: '', tag: '', productName: '' }
export const isFiltered = (state: SiteFilterState): boolean =>
  state.siteName !== '' || filterNames.some((name) => state[name] !== '')

/** What the calls are asked. */
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
