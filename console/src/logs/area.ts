import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { user: 'dataAnalysis/logger', client: 'dataAnalysis/logger' },
      title: { zh_TW: '查詢', zh_CN: '查询', en_US: 'Explorer' },
      group: 'logs',
      order: 10,
      key: 'l',
      can: 'logs.read',
      takesSite: true,
      load: () => import('./LogsScreen.tsx').then((file) => file.LogsScreen),
      words: ['logs', 'statistics'],
    },
    {
      paths: { user: 'dataAnalysis/explain', client: 'dataAnalysis/explain' },
      title: { zh_TW: '攔截原因', zh_CN: '拦截原因', en_US: 'Explain' },
      group: 'logs',
      order: 20,
      key: 'e',
      can: 'logs.explain',
      takesSite: true,
      load: () => import('./ExplainScreen.tsx').then((file) => file.ExplainScreen),
      words: ['logs', 'rules', 'statistics'],
    },
  ],
  siteTabs: [
    {
      tab: 'logs',
      title: { zh_TW: '日誌', zh_CN: '日志', en_US: 'Logs' },
      group: 'activity',
      order: 20,
      can: 'logs.read',
      load: () => import('./LogsScreen.tsx').then((file) => file.SiteLogs),
      words: ['logs', 'statistics'],
    },
    {
      tab: 'explain',
      title: { zh_TW: '攔截原因', zh_CN: '拦截原因', en_US: 'Explain' },
      group: 'activity',
      order: 25,
      can: 'logs.explain',
      load: () => import('./SiteExplain.tsx').then((file) => file.SiteExplain),
      words: ['logs', 'rules', 'statistics', 'question'],
    },
  ],
}
