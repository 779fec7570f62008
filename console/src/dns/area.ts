import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { client: 'systemManagement/dnsSetting' },
      title: { zh_TW: 'DNS 設定', zh_CN: 'DNS 设置', en_US: 'DNS provider' },
      group: 'system',
      order: 24,
      can: 'settings.read',
      load: () => import('./DnsScreen.tsx').then((file) => file.DnsScreen),
      words: ['dns'],
    },
  ],
  siteTabs: [
    {
      tab: 'dns',
      title: { zh_TW: 'DNS 記錄', zh_CN: 'DNS 记录', en_US: 'DNS records' },
      group: 'domains',
      order: 18,
      can: 'domains.read',
      load: () => import('./SiteDnsScreen.tsx').then((file) => file.SiteDnsScreen),
      words: ['dns'],
    },
  ],
}
