import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { client: 'systemManagement/systemSetting' },
      title: { zh_TW: '郵件與訊息', zh_CN: '邮件与消息', en_US: 'Mail and messages' },
      group: 'system',
      order: 20,
      can: 'settings.read',
      load: () => import('./SystemSettingScreen.tsx').then((file) => file.SystemSettingScreen),
      words: ['messages'],
    },
    {
      paths: { user: 'systemManagement/notifySetting', client: 'userManagement/notifySetting' },
      title: { zh_TW: '通知', zh_CN: '通知', en_US: 'Notifications' },
      group: 'me',
      order: 30,
      load: () => import('./NotifySettingScreen.tsx').then((file) => file.NotifySettingScreen),
      words: ['messages'],
    },
  ],
}
