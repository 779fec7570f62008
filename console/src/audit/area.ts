import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: {
        user: 'userManagement/logOperation',
        client: 'userManagement/logOperation',
        admin: 'userManagement/logOperation',
      },
      title: { zh_TW: '操作記錄', zh_CN: '操作记录', en_US: 'Audit log' },
      group: { user: 'team', client: 'system', admin: 'audit' },
      order: 90,
      key: 'a',
      can: 'audit.read',
      load: () => import('./AuditScreen.tsx').then((file) => file.AuditScreen),
      words: ['audit'],
    },
  ],
}
