import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { client: 'systemManagement/signInSetting', admin: 'systemManagement/signInSetting' },
      title: { zh_TW: '登入', zh_CN: '登录', en_US: 'Sign-in' },
      group: { client: 'system', admin: 'signIn' },
      order: 30,
      can: 'settings.read',
      load: () => import('./SignInSettingsScreen.tsx').then((file) => file.SignInSettingsScreen),
      words: ['system'],
    },
  ],
}
