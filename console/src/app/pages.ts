/** The pages of each console: address, screen, permission, place in the navigation. The router and the shell read this list. */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import type { ComponentType } from 'react'
import type { icons } from './icons.ts'
import type { Area, PlainKey } from './phrases.ts'

type Load = () => Promise<ComponentType>

export type Page = {
  /** Below the console. */
  path: string
  title: PlainKey<'app'>
  load: Load
  /** The areas of words that the screen is drawn with: without them the page would blink when it first needs one. */
  words?: readonly Area[]
  /** Loads the part of the page that an address asks for, where it is loaded by itself. */
  loadPart?: (search: object) => Promise<unknown>
  can?: Permission
  /** Where it stands in the navigation; without it, it is reached from other pages. */
  icon?: keyof typeof icons
  group?: PlainKey<'app'>
}

const statistics: Page = {
  path: 'dataAnalysis/statistics',
  title: 'nav.statistics',
  group: 'nav.analytics',
  icon: 'ChartNoAxesColumn',
  can: 'statistics.read',
  load: () => import('../statistics/StatisticsScreen.tsx').then((file) => file.StatisticsScreen),
  words: ['statistics', 'logs'],
}
const boards: Page = {
  path: 'dataAnalysis/statisticsCustomize',
  title: 'nav.boards',
  group: 'nav.analytics',
  icon: 'LayoutDashboard',
  can: 'statistics.read',
  load: () => import('../statistics/BoardsScreen.tsx').then((file) => file.BoardsScreen),
  words: ['statistics', 'logs'],
}
const security: Page = {
  path: 'dataAnalysis/securityAnalysis',
  title: 'nav.securityAnalysis',
  group: 'nav.analytics',
  icon: 'ShieldAlert',
  can: 'statistics.read',
  load: () => import('../statistics/SecurityScreen.tsx').then((file) => file.SecurityScreen),
  words: ['statistics', 'logs'],
}
const logger: Page = {
  path: 'dataAnalysis/logger',
  title: 'nav.logs',
  group: 'nav.analytics',
  icon: 'List',
  can: 'logs.read',
  load: () => import('../logs/LogsScreen.tsx').then((file) => file.LogsScreen),
  words: ['logs', 'statistics'],
}
const explain: Page = {
  path: 'dataAnalysis/explain',
  title: 'nav.explain',
  group: 'nav.analytics',
  icon: 'ShieldQuestion',
  can: 'logs.explain',
  load: () => import('../logs/ExplainScreen.tsx').then((file) => file.ExplainScreen),
  words: ['logs', 'rules', 'statistics'],
}
const signInSettings: Page = {
  path: 'systemManagement/signInSetting',
  title: 'nav.signInSettings',
  group: 'nav.system',
  icon: 'LogIn',
  can: 'settings.read',
  load: () => import('../system/SignInSettingsScreen.tsx').then((file) => file.SignInSettingsScreen),
  words: ['system'],
}
const systemSettings: Page = {
  path: 'systemManagement/systemSetting',
  title: 'nav.systemSettings',
  group: 'nav.system',
  icon: 'Mail',
  can: 'settings.read',
  load: () => import('../messages/SystemSettingScreen.tsx').then((file) => file.SystemSettingScreen),
  words: ['messages'],
}
const notifySettings = (path: string): Page => ({
  path,
  title: 'nav.notify',
  group: 'nav.account',
  icon: 'Bell',
  load: () => import('../messages/NotifySettingScreen.tsx').then((file) => file.NotifySettingScreen),
  words: ['messages'],
})
const profile: Page = {
  path: 'userManagement/userInformation',
  title: 'nav.profile',
  group: 'nav.account',
  icon: 'UserRound',
  load: () => import('../account/ProfileScreen.tsx').then((file) => file.ProfileScreen),
  words: ['account'],
}
const roles: Page = {
  path: 'userManagement/roles',
  title: 'nav.roles',
  group: 'nav.account',
  icon: 'ListChecks',
  can: 'roles.read',
  load: () => import('../roles/RolesScreen.tsx').then((file) => file.RolesScreen),
  words: ['people'],
}
const tokens: Page = {
  path: 'userManagement/apiTokenSetting',
  title: 'nav.apiTokens',
  group: 'nav.account',
  icon: 'KeyRound',
  can: 'apiTokens.read',
  load: () => import('../api-tokens/ApiTokensScreen.tsx').then((file) => file.ApiTokensScreen),
  words: ['people'],
}
const audit: Page = {
  path: 'userManagement/logOperation',
  title: 'nav.audit',
  group: 'nav.account',
  icon: 'ScrollText',
  can: 'audit.read',
  load: () => import('../audit/AuditScreen.tsx').then((file) => file.AuditScreen),
  words: ['audit'],
}
const apiDoc: Page = {
  path: 'userManagement/apiDoc',
  title: 'nav.apiDoc',
  group: 'nav.account',
  icon: 'FileCode',
  load: () => import('../api-tokens/ApiDoc.tsx').then((file) => file.ApiDoc),
}
/** The accounts below one's own: the specification calls the list by two names (gaps R-5). */
const people = (path: 'usersList' | 'users'): Page => ({
  path: `userManagement/${path}`,
  title: 'nav.users',
  group: 'nav.account',
  icon: 'Users',
  can: 'accounts.read',
  load: () => import('../people/UsersScreen.tsx').then((file) => file.UsersScreen),
  words: ['people'],
})
/** The operator's address may go on with a domain's name, whose settings then open (rules A15). */
const workspace = (rest: '' | '/{-$domainName}'): Page => ({
  path: `sitesManagement/sitesSetting/{-$id}/{-$name}${rest}`,
  title: 'nav.site',
  can: 'sites.read',
  load: () => import('./SiteWorkspace.tsx').then((file) => file.SiteWorkspace),
  loadPart: (search) => import('./SiteWorkspace.tsx').then((file) => file.loadTab(search)),
})

export const pages: Record<Tier, readonly Page[]> = {
  user: [
    {
      path: 'dashboard',
      title: 'nav.overview',
      icon: 'Home',
      load: () => import('../dashboard/UserDashboard.tsx').then((file) => file.UserDashboard),
      words: ['statistics', 'sites', 'logs'],
    },
    {
      path: 'sitesManagement/sites',
      title: 'nav.sites',
      icon: 'Globe',
      can: 'sites.read',
      load: () => import('../sites/SitesScreen.tsx').then((file) => file.SitesScreen),
      words: ['sites'],
    },
    {
      path: 'sitesManagement/newSite',
      title: 'nav.newSite',
      can: 'sites.create',
      load: () => import('../sites/NewSiteScreen.tsx').then((file) => file.NewSiteScreen),
      words: ['sites', 'domains'],
    },
    workspace(''),
    statistics,
    boards,
    security,
    logger,
    explain,
    people('usersList'),
    roles,
    tokens,
    audit,
    apiDoc,
    notifySettings('systemManagement/notifySetting'),
    profile,
  ],
  client: [
    {
      path: 'dashboard',
      title: 'nav.overview',
      icon: 'Home',
      load: () => import('../dashboard/OperatorDashboard.tsx').then((file) => file.OperatorDashboard),
      words: ['statistics', 'logs'],
    },
    {
      path: 'sitesManagement/sitesList',
      title: 'nav.sites',
      icon: 'Globe',
      can: 'sites.read',
      load: () => import('../sites/AllSitesScreen.tsx').then((file) => file.AllSitesScreen),
      words: ['sites'],
    },
    workspace('/{-$domainName}'),
    {
      path: 'nodeManage/zonesList',
      title: 'nav.zones',
      group: 'nav.network',
      icon: 'Activity',
      can: 'zones.read',
      load: () => import('../nodes/ZonesScreen.tsx').then((file) => file.ZonesScreen),
      words: ['nodes'],
    },
    {
      path: 'nodeManage/nodesList',
      title: 'nav.nodes',
      group: 'nav.network',
      icon: 'Server',
      can: 'nodes.read',
      load: () => import('../nodes/NodesScreen.tsx').then((file) => file.NodesScreen),
      words: ['nodes', 'audit'],
    },
    statistics,
    boards,
    security,
    logger,
    explain,
    {
      path: 'userManagement/customizeLogo',
      title: 'nav.brand',
      group: 'nav.system',
      icon: 'Palette',
      can: 'brand.read',
      load: () => import('../brand/BrandsScreen.tsx').then((file) => file.BrandsScreen),
      words: ['brand'],
    },
    {
      path: 'userManagement/announcementSetting',
      title: 'nav.announcements',
      group: 'nav.system',
      icon: 'Megaphone',
      can: 'announcements.read',
      load: () => import('../announcements/AnnouncementsScreen.tsx').then((file) => file.AnnouncementsScreen),
      words: ['announcements'],
    },
    {
      path: 'systemManagement/license',
      title: 'nav.license',
      group: 'nav.system',
      icon: 'KeyRound',
      can: 'license.read',
      load: () => import('../licenses/InstalledLicenseScreen.tsx').then((file) => file.InstalledLicenseScreen),
      words: ['licenses'],
    },
    signInSettings,
    systemSettings,
    people('users'),
    roles,
    tokens,
    audit,
    apiDoc,
    notifySettings('userManagement/notifySetting'),
    profile,
  ],
  admin: [
    {
      path: 'dashboard',
      title: 'nav.overview',
      icon: 'Home',
      load: () => import('../dashboard/VendorDashboard.tsx').then((file) => file.VendorDashboard),
      words: ['licenses', 'statistics'],
    },
    {
      path: 'licenses',
      title: 'nav.licenses',
      group: 'nav.licensing',
      icon: 'KeyRound',
      can: 'licenses.read',
      load: () => import('../licenses/LicensesScreen.tsx').then((file) => file.LicensesScreen),
      words: ['licenses'],
    },
    {
      path: 'offlineLicense',
      title: 'nav.offlineLicenses',
      group: 'nav.licensing',
      icon: 'Usb',
      can: 'licenses.read',
      load: () => import('../licenses/OfflineLicensesScreen.tsx').then((file) => file.OfflineLicensesScreen),
      words: ['licenses'],
    },
    signInSettings,
    people('users'),
    audit,
    apiDoc,
    profile,
  ],
}
