import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { admin: 'licenses' },
      title: { zh_TW: '線上授權', zh_CN: '在线许可证', en_US: 'Online' },
      group: 'licensing',
      order: 10,
      key: 'i',
      can: 'licenses.read',
      load: () => import('./LicensesScreen.tsx').then((file) => file.LicensesScreen),
      words: ['licenses'],
    },
    {
      paths: { admin: 'offlineLicense' },
      title: { zh_TW: '離線授權', zh_CN: '离线许可证', en_US: 'Offline' },
      group: 'licensing',
      order: 20,
      key: 'o',
      can: 'licenses.read',
      load: () => import('./OfflineLicensesScreen.tsx').then((file) => file.OfflineLicensesScreen),
      words: ['licenses'],
    },
    {
      paths: { client: 'systemManagement/license' },
      title: { zh_TW: '授權', zh_CN: '许可证', en_US: 'Licence' },
      group: 'system',
      order: 60,
      key: 'i',
      can: 'license.read',
      load: () => import('./InstalledLicenseScreen.tsx').then((file) => file.InstalledLicenseScreen),
      words: ['licenses'],
    },
  ],
}
