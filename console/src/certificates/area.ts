import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { client: 'sitesManagement/autoSSLManagement' },
      title: { zh_TW: '自動憑證', zh_CN: '自动证书', en_US: 'Automatic certificates' },
      group: 'sites',
      order: 40,
      can: 'domains.read',
      load: () => import('./AutomaticScreen.tsx').then((file) => file.AutomaticScreen),
      words: ['certificates'],
    },
    {
      paths: { client: 'systemManagement/certificateAuthorities' },
      title: { zh_TW: '憑證機構', zh_CN: '证书颁发机构', en_US: 'Certificate authorities' },
      group: 'system',
      order: 25,
      can: 'settings.read',
      load: () => import('./AuthoritiesScreen.tsx').then((file) => file.AuthoritiesScreen),
      words: ['certificates'],
    },
  ],
  siteTabs: [
    {
      tab: 'certificates',
      title: { zh_TW: '憑證', zh_CN: '证书', en_US: 'Certificates' },
      group: 'domains',
      order: 20,
      can: 'domains.read',
      load: () => import('./CertificatesScreen.tsx').then((file) => file.CertificatesScreen),
      words: ['certificates'],
    },
  ],
}
