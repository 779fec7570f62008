import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { client: 'userManagement/announcementSetting' },
      title: { zh_TW: '公告', zh_CN: '公告', en_US: 'Announcements' },
      group: 'customers',
      order: 40,
      can: 'announcements.read',
      load: () => import('./AnnouncementsScreen.tsx').then((file) => file.AnnouncementsScreen),
      words: ['announcements'],
    },
  ],
}
