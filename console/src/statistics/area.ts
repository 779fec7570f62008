import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { user: 'dataAnalysis/statistics', client: 'dataAnalysis/statistics' },
      title: { zh_TW: '流量', zh_CN: '流量', en_US: 'Traffic' },
      group: 'analytics',
      order: 10,
      key: 't',
      can: 'statistics.read',
      takesSite: true,
      load: () => import('./StatisticsScreen.tsx').then((file) => file.StatisticsScreen),
      words: ['statistics', 'logs'],
    },
    {
      paths: { user: 'dataAnalysis/securityAnalysis', client: 'dataAnalysis/securityAnalysis' },
      title: { zh_TW: '安全', zh_CN: '安全', en_US: 'Security' },
      group: 'analytics',
      order: 20,
      key: 'y',
      can: 'statistics.read',
      takesSite: true,
      load: () => import('./SecurityScreen.tsx').then((file) => file.SecurityScreen),
      words: ['statistics', 'logs'],
    },
    {
      paths: { user: 'dataAnalysis/statisticsCustomize', client: 'dataAnalysis/statisticsCustomize' },
      title: { zh_TW: '儀表板', zh_CN: '仪表盘', en_US: 'Dashboards' },
      group: 'analytics',
      order: 40,
      key: 'b',
      can: 'statistics.read',
      takesSite: true,
      load: () => import('./BoardsScreen.tsx').then((file) => file.BoardsScreen),
      words: ['statistics', 'logs'],
    },
  ],
  siteTabs: [
    {
      tab: 'traffic',
      title: { zh_TW: '流量', zh_CN: '流量', en_US: 'Traffic' },
      group: 'activity',
      order: 10,
      can: 'statistics.read',
      load: () => import('./StatisticsScreen.tsx').then((file) => file.SiteTraffic),
      words: ['statistics', 'logs'],
    },
  ],
}
