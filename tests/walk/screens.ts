/** Every screen of the consoles, as declared by their areas, so that none is left out of checks of all screens. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Tier } from '@breakwater/contract/tiers.ts'

type Area = {
  pages?: { paths: Partial<Record<Tier, string>> }[]
  siteTabs?: { tab: string }[]
  zoneTabs?: { tab: string }[]
}

const source = join(import.meta.dirname, '../../console/src')
const files = globSync('*/area.ts', { cwd: source }).sort()
const areas = await Promise.all(files.map(async (file) => ((await import(join(source, file))) as { area: Area }).area))

/** States of a page that its URL selects: one of its tabs, an open drawer. By the page's path or the site's tab. */
const states: Record<string, readonly string[]> = {
  'dashboard@user': ['tab=waf'],
  'dataAnalysis/statistics@user': ['compare=true'],
  'dataAnalysis/securityAnalysis@user': ['tab=blacklist'],
  'dataAnalysis/securityAnalysis@client': ['tab=waf'],
  'dataAnalysis/logger@user': ['view=search'],
  'userManagement/usersList@user': ['edit=new'],
  'userManagement/roles@user': ['edit=new', 'view=matrix'],
  'userManagement/apiTokenSetting@user': ['edit=new'],
  'userManagement/users@client': ['edit=new'],
  'userManagement/customizeLogo@client': ['edit=new'],
  'userManagement/announcementSetting@client': ['edit=new'],
  'licenses@admin': ['edit=new'],
  'tab=certificates': ['edit=new'],
  'nodeManage/zone/1/default?tab=ports@client': ['edit=new'],
  'nodeManage/zone/1/default?tab=preheat@client': ['edit=new'],
  'tab=rateRules': ['edit=new'],
  'tab=denyList': ['edit=new'],
}

/** The API reference is a page of the server's own; that path only leads there. */
const elsewhere = ['userManagement/apiDoc']

const settings = 'sitesManagement/sitesSetting/'
/** The first zone of an installation. */
const zone = 'nodeManage/zone/'
const withStates = (screen: string, key: string, joint: string) => [
  screen,
  ...(states[key] ?? []).map((state) => screen + joint + state),
]

/**
 * The paths of a console's screens; `:site` stands for the site's ID. The operator's site tabs are the same as the
 * customer's: one of them is enough.
 */
export function screensOf(tier: Tier): string[] {
  const paths = areas.flatMap(({ pages = [] }) => pages.flatMap(({ paths }) => paths[tier] ?? []))
  const zoneTabs = areas.flatMap(({ zoneTabs = [] }) => zoneTabs.map(({ tab }) => tab))
  const tabs = areas.flatMap(({ siteTabs = [] }) => siteTabs.map(({ tab }) => tab))
  return [
    ...paths
      .filter((path) => !elsewhere.includes(path) && !path.startsWith(settings) && !path.startsWith(zone))
      .flatMap((path) => withStates(path, `${path}@${tier}`, '?')),
    ...(paths.some((path) => path.startsWith(zone)) ? zoneTabs : []).flatMap((tab) =>
      withStates(`${zone}1/default?tab=${tab}`, `${zone}1/default?tab=${tab}@client`, '&'),
    ),
    ...(paths.some((path) => path.startsWith(settings)) ? (tier === 'user' ? tabs : tabs.slice(0, 1)) : []).flatMap(
      (tab) => withStates(`${settings}:site/shop?tab=${tab}`, tier === 'user' ? `tab=${tab}` : '', '&'),
    ),
  ]
}

/** States listed for pages that no area has (any more). */
export const lostStates = (): string[] => {
  const all = (['user', 'client', 'admin'] as const).flatMap((tier) =>
    screensOf(tier).map((screen) => `${screen}@${tier}`),
  )
  return Object.keys(states).filter((key) => !all.some((one) => one === key || one.includes(`?${key}`)))
}
