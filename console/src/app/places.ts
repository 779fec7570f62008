/** The addresses of the consoles (screens of the specification), written once. */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { useLocation } from '@tanstack/react-router'
import { useMemo } from 'react'
import { tierOf } from './browser.ts'

export const siteTabs = [
  'overview',
  'domains',
  'customHeader',
  'cache',
  'allowList',
  'denyList',
  'rateRules',
  'bodyRules',
  'members',
  'history',
] as const
export type SiteTab = (typeof siteTabs)[number]

export function placesOf(tier: Tier) {
  return {
    tier,
    door: `/${tier}/login`,
    verify: `/${tier}/login/verifyAccount`,
    createPassword: `/${tier}/login/createPassword`,
    forgotPassword: `/${tier}/login/forgotPassword`,
    home: `/${tier}/dashboard`,
    password: `/${tier}/changePassword`,
    profile: `/${tier}/userManagement/userInformation`,
    accounts: `/${tier}/userManagement/${tier === 'user' ? 'usersList' : 'users'}`,
    sites: tier === 'client' ? '/client/sitesManagement/sitesList' : `/${tier}/sitesManagement/sites`,
    newSite: `/${tier}/sitesManagement/newSite`,
    site: (id: number, name: string) => `/${tier}/sitesManagement/sitesSetting/${id}/${encodeURIComponent(name)}`,
    statistics: `/${tier}/dataAnalysis/statistics`,
    logs: `/${tier}/dataAnalysis/logger`,
    explain: `/${tier}/dataAnalysis/explain`,
    zones: `/${tier}/nodeManage/zonesList`,
    nodes: `/${tier}/nodeManage/nodesList`,
    licenses: `/${tier}/licenses`,
    offlineLicenses: `/${tier}/offlineLicense`,
  }
}
export type Places = ReturnType<typeof placesOf>

/** The console one is in, and its addresses. */
export function usePlaces(): Places {
  const tier = useLocation({ select: ({ pathname }) => tierOf(pathname) })
  return useMemo(() => placesOf(tier), [tier])
}
