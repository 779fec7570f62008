import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { client: 'sitesManagement/domains' },
      title: { zh_TW: '所有網域', zh_CN: '所有域名', en_US: 'All domains' },
      group: 'sites',
      order: 20,
      can: 'domains.read',
      load: () => import('./AllDomainsScreen.tsx').then((file) => file.AllDomainsScreen),
      words: ['certificates', 'domains'],
    },
  ],
  siteTabs: [
    {
      tab: 'domains',
      title: { zh_TW: '網域', zh_CN: '域名', en_US: 'Domains' },
      group: 'domains',
      order: 10,
      can: 'domains.read',
      load: () => import('./DomainsScreen.tsx').then((file) => file.DomainsScreen),
      words: ['domains', 'certificates'],
    },
    {
      tab: 'origins',
      title: { zh_TW: '來源站', zh_CN: '源站', en_US: 'Origins' },
      group: 'domains',
      order: 15,
      can: 'domains.read',
      load: () => import('./OriginsScreen.tsx').then((file) => file.OriginsScreen),
      words: ['domains'],
    },
  ],
}
