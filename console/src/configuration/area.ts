import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  zoneTabs: [
    {
      tab: 'overview',
      title: { zh_TW: '總覽', zh_CN: '总览', en_US: 'Overview' },
      group: 'overview',
      order: 10,
      can: 'zones.read',
      load: () => import('./ZoneOverview.tsx').then((file) => file.ZoneOverview),
      words: ['audit', 'configuration'],
    },
    {
      tab: 'ports',
      title: { zh_TW: '連接埠與協定', zh_CN: '端口与协议', en_US: 'Ports & protocols' },
      group: 'ports',
      order: 10,
      can: 'zones.read',
      load: () => import('./ZonePorts.tsx').then((file) => file.ZonePorts),
      words: ['configuration'],
    },
    {
      tab: 'preheat',
      title: { zh_TW: '預熱', zh_CN: '预热', en_US: 'Preheat' },
      group: 'preheat',
      order: 10,
      can: 'zones.read',
      load: () => import('./ZonePreheat.tsx').then((file) => file.ZonePreheat),
      words: ['configuration'],
    },
    {
      tab: 'firewall',
      title: { zh_TW: '防火牆', zh_CN: '防火墙', en_US: 'Firewall' },
      group: 'firewall',
      order: 10,
      can: 'zones.read',
      load: () => import('./ZoneFirewall.tsx').then((file) => file.ZoneFirewall),
      words: ['configuration', 'rules'],
    },
    {
      tab: 'limits',
      title: { zh_TW: '限制', zh_CN: '限制', en_US: 'Limits' },
      group: 'limits',
      order: 10,
      can: 'zones.read',
      load: () => import('./ZoneLimits.tsx').then((file) => file.ZoneLimits),
      words: ['configuration'],
    },
  ],
  siteTabs: [
    {
      tab: 'ports',
      title: { zh_TW: '連接埠', zh_CN: '端口', en_US: 'Ports' },
      group: 'domains',
      order: 20,
      can: 'sites.read',
      load: () => import('./SitePorts.tsx').then((file) => file.SitePorts),
      words: ['configuration'],
    },
  ],
}
