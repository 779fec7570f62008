import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { user: 'changePassword', client: 'changePassword', admin: 'changePassword' },
      title: { zh_TW: '變更密碼', zh_CN: '修改密码', en_US: 'Change password' },
      group: 'me',
      order: 20,
      load: () => import('./ChangePasswordScreen.tsx').then((file) => file.ChangePasswordScreen),
      words: ['auth'],
    },
  ],
}
