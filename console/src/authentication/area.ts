import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  siteTabs: [
    {
      tab: 'authRules',
      rules: { kind: 'authRules', actions: 'site.auth.rule' },
      title: { zh_TW: '訪客驗證', zh_CN: '访客认证', en_US: 'Authentication' },
      group: 'security',
      order: 45,
      can: 'firewall.read',
      load: () => import('./AuthRulesScreen.tsx').then((file) => file.AuthRulesScreen),
      words: ['authentication', 'rules'],
    },
    {
      tab: 'authGroups',
      title: { zh_TW: '驗證群組', zh_CN: '认证分组', en_US: 'Auth groups' },
      group: 'security',
      order: 46,
      can: 'firewall.read',
      load: () => import('./AuthGroupsScreen.tsx').then((file) => file.AuthGroupsScreen),
      words: ['authentication'],
    },
  ],
}
