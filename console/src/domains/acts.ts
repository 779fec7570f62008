/**
 * The actions that the palette offers here, and synonyms that people type. Separate from `area.ts`, which the first
 * page loads.
 */
import type { Acts } from '../platform/manifest.ts'

export const acts: Acts = {
  acts: [
    {
      tab: 'domains',
      key: 'domain',
      title: { zh_TW: '新增網域', zh_CN: '添加域名', en_US: 'Add domain' },
      search: { edit: 'new' },
      can: 'domains.write',
      also: 'host dns hostname 綁定 绑定',
    },
  ],
  also: {
    domains: 'host dns hostname 網址 网址',
    origins: 'origin upstream backend tls sni mtls health timeout 回源 上游',
  },
}
