/** The site whose settings are open, from the URL; its actual name once loaded. */
import { sites } from '@breakwater/contract/sites/sites.ts'
import { useParams } from '@tanstack/react-router'
import { useCall } from './calls.ts'

export type SiteHere = { id: number; name: string; domainCount: number | undefined }

export function useSiteHere(): SiteHere | undefined {
  const { id, name } = useParams({ strict: false }) as { id?: string; name?: string }
  const siteId = Number(id)
  const isHere = Number.isInteger(siteId) && siteId > 0
  const { data } = useCall(sites.get, { siteId }, { enabled: isHere })
  return isHere
    ? { id: siteId, name: data?.siteName ?? name ?? String(siteId), domainCount: data?.domainCount }
    : undefined
}
