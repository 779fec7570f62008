import { redirect } from '@tanstack/react-router'
import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    // The specification has two names for the accounts below the user's own.
    {
      paths: { user: 'userManagement/usersList' },
      title: { zh_TW: '成員', zh_CN: '成员', en_US: 'Members' },
      group: 'team',
      order: 10,
      key: 'u',
      can: 'accounts.read',
      load: () => import('./UsersScreen.tsx').then((file) => file.UsersScreen),
      words: ['people'],
    },
    {
      paths: { client: 'userManagement/users', admin: 'userManagement/users' },
      title: { zh_TW: '帳號', zh_CN: '账号', en_US: 'Accounts' },
      group: { client: 'customers', admin: 'accounts' },
      order: 10,
      key: 'u',
      can: 'accounts.read',
      load: () => import('./UsersScreen.tsx').then((file) => file.UsersScreen),
      words: ['people'],
    },
    {
      paths: { user: 'userManagement/roles', client: 'userManagement/roles' },
      title: { zh_TW: '角色', zh_CN: '角色', en_US: 'Roles' },
      group: { user: 'team', client: 'system' },
      order: 70,
      key: 'r',
      can: 'roles.read',
      load: () => import('./roles/RolesScreen.tsx').then((file) => file.RolesScreen),
      words: ['people'],
    },
    {
      paths: { user: 'userManagement/apiTokenSetting', client: 'userManagement/apiTokenSetting' },
      title: { zh_TW: 'API 權杖', zh_CN: 'API 令牌', en_US: 'API tokens' },
      group: { user: 'team', client: 'system' },
      order: 80,
      key: 'k',
      can: 'apiTokens.read',
      load: () => import('./api-tokens/ApiTokensScreen.tsx').then((file) => file.ApiTokensScreen),
      words: ['people'],
    },
    {
      paths: { user: 'userManagement/apiDoc', client: 'userManagement/apiDoc', admin: 'userManagement/apiDoc' },
      title: { zh_TW: 'API 文件', zh_CN: 'API 文档', en_US: 'API reference' },
      group: 'me',
      order: 40,
      opensTab: true,
      load: () => import('./api-tokens/ApiDoc.tsx').then((file) => file.ApiDoc),
    },
  ],
  siteTabs: [
    {
      tab: 'members',
      title: { zh_TW: '成員', zh_CN: '成员', en_US: 'Members' },
      group: 'settings',
      order: 20,
      can: 'accounts.read',
      load: () => import('./MembersScreen.tsx').then((file) => file.MembersScreen),
      words: ['people'],
    },
  ],
  links: [
    {
      path: 'switchUser',
      // Nobody can act for the vendor.
      tiers: ['user', 'client'],
      follow: async (tier, search) => {
        const { enterBySwitch } = await import('../platform/acting.ts')
        throw redirect({ to: await enterBySwitch(tier, search), search: {} as never, replace: true })
      },
    },
  ],
}
