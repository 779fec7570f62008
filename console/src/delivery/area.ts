import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  siteTabs: [
    {
      tab: 'cache',
      title: { zh_TW: '快取', zh_CN: '缓存', en_US: 'Cache' },
      group: 'delivery',
      order: 10,
      can: 'cache.read',
      load: () => import('./CacheScreen.tsx').then((file) => file.CacheScreen),
      words: ['delivery', 'rules', 'question'],
    },
    {
      tab: 'rate',
      title: { zh_TW: '下載限速', zh_CN: '下载限速', en_US: 'Bandwidth limits' },
      group: 'delivery',
      order: 58,
      can: 'cache.read',
      load: () => import('./BandwidthScreen.tsx').then((file) => file.BandwidthScreen),
      words: ['delivery', 'rules'],
    },
    {
      tab: 'errorPages',
      title: { zh_TW: '錯誤頁', zh_CN: '错误页', en_US: 'Error pages' },
      group: 'delivery',
      order: 60,
      can: 'cache.read',
      load: () => import('./ErrorPagesScreen.tsx').then((file) => file.SiteErrorPagesScreen),
      words: ['delivery'],
    },
  ],
  pages: [
    {
      paths: { client: 'systemManagement/errorSetting' },
      title: { zh_TW: '錯誤頁', zh_CN: '错误页', en_US: 'Error pages' },
      group: 'system',
      order: 30,
      can: 'settings.read',
      load: () => import('./ErrorPagesScreen.tsx').then((file) => file.ErrorSettingScreen),
      words: ['delivery'],
    },
  ],
}
