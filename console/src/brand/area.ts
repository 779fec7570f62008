import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { client: 'userManagement/customizeLogo' },
      title: { zh_TW: '品牌', zh_CN: '品牌', en_US: 'Branding' },
      group: 'customers',
      order: 50,
      can: 'brand.read',
      load: () => import('./BrandsScreen.tsx').then((file) => file.BrandsScreen),
      words: ['brand'],
    },
  ],
}
