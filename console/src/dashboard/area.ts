import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { user: 'dashboard' },
      title: { zh_TW: '總覽', zh_CN: '总览', en_US: 'Overview' },
      group: 'overview',
      key: 'd',
      takesSite: true,
      load: () => import('./UserDashboard.tsx').then((file) => file.UserDashboard),
      words: ['statistics', 'sites', 'logs'],
    },
    {
      paths: { client: 'dashboard' },
      title: { zh_TW: '總覽', zh_CN: '总览', en_US: 'Overview' },
      group: 'overview',
      key: 'd',
      takesSite: true,
      load: () => import('./OperatorDashboard.tsx').then((file) => file.OperatorDashboard),
      words: ['statistics', 'logs'],
    },
    {
      paths: { admin: 'dashboard' },
      title: { zh_TW: '總覽', zh_CN: '总览', en_US: 'Overview' },
      group: 'overview',
      key: 'd',
      load: () => import('./VendorDashboard.tsx').then((file) => file.VendorDashboard),
      words: ['licenses', 'statistics'],
    },
  ],
}
