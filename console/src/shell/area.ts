import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    // The operator's URL may continue with a domain name, whose settings then open.
    {
      paths: {
        user: 'sitesManagement/sitesSetting/{-$id}/{-$name}',
        client: 'sitesManagement/sitesSetting/{-$id}/{-$name}/{-$domainName}',
      },
      title: { zh_TW: '站點設定', zh_CN: '站点设置', en_US: 'Site' },
      can: 'sites.read',
      load: () => import('./SiteWorkspace.tsx').then((file) => file.SiteWorkspace),
      tabsOf: 'site',
    },
    {
      paths: { client: 'nodeManage/zone/{-$zoneId}/{-$zoneName}' },
      title: { zh_TW: '區域設定', zh_CN: '区域设置', en_US: 'Zone' },
      can: 'zones.read',
      load: () => import('./ZoneWorkspace.tsx').then((file) => file.ZoneWorkspace),
      tabsOf: 'zone',
    },
  ],
}
