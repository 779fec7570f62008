/** The paths of the consoles (screens of the specification), in one place. */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { useLocation } from '@tanstack/react-router'
import { useMemo } from 'react'
import { tierOf } from './browser.ts'

export function placesOf(tier: Tier) {
  return {
    tier,
    signIn: `/${tier}/login`,
    verify: `/${tier}/login/verifyAccount`,
    createPassword: `/${tier}/login/createPassword`,
    forgotPassword: `/${tier}/login/forgotPassword`,
    home: `/${tier}/dashboard`,
    password: `/${tier}/changePassword`,
    profile: `/${tier}/userManagement/userInformation`,
    accounts: `/${tier}/userManagement/${tier === 'user' ? 'usersList' : 'users'}`,
    sites: tier === 'client' ? '/client/sitesManagement/sitesList' : `/${tier}/sitesManagement/sites`,
    newSite: `/${tier}/sitesManagement/newSite`,
    importSites: `/${tier}/sitesManagement/importSites`,
    site: (id: number, name: string) => `/${tier}/sitesManagement/sitesSetting/${id}/${encodeURIComponent(name)}`,
    statistics: `/${tier}/dataAnalysis/statistics`,
    attacks: `/${tier}/sitesManagement/attacks`,
    logs: `/${tier}/dataAnalysis/logger`,
    explain: `/${tier}/dataAnalysis/explain`,
    zones: `/${tier}/nodeManage/zonesList`,
    zone: (id: number, name: string) => `/${tier}/nodeManage/zone/${id}/${encodeURIComponent(name)}`,
    nodes: `/${tier}/nodeManage/nodesList`,
    licenses: `/${tier}/licenses`,
    offlineLicenses: `/${tier}/offlineLicense`,
  }
}
export type Places = ReturnType<typeof placesOf>

/** The current console and its paths. */
export function usePlaces(): Places {
  const tier = useLocation({ select: ({ pathname }) => tierOf(pathname) })
  return useMemo(() => placesOf(tier), [tier])
}
