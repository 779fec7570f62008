import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { client: 'sitesManagement/productsList' },
      title: { zh_TW: '產品', zh_CN: '产品', en_US: 'Products' },
      group: 'customers',
      order: 20,
      can: 'products.read',
      load: () => import('./ProductsScreen.tsx').then((file) => file.ProductsScreen),
      words: ['products'],
    },
  ],
}
