import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: {
        user: 'userManagement/userInformation',
        client: 'userManagement/userInformation',
        admin: 'userManagement/userInformation',
      },
      title: { zh_TW: '個人資料', zh_CN: '个人资料', en_US: 'Profile' },
      group: 'me',
      order: 10,
      key: 'p',
      load: () => import('./ProfileScreen.tsx').then((file) => file.ProfileScreen),
      words: ['account'],
    },
  ],
}
