/**
 * The actions that the palette offers here, and synonyms that people type. Separate from `area.ts`, which the first
 * page loads.
 */
import type { Acts } from '../platform/manifest.ts'

export const acts: Acts = {
  acts: [
    {
      tab: 'cache',
      key: 'purge',
      title: { zh_TW: '清除快取', zh_CN: '清除缓存', en_US: 'Purge cache' },
      search: { purge: 'open' },
      can: 'cache.purge',
      also: 'flush clear invalidate refresh 刷新 清理 清快取 清缓存',
    },
    {
      tab: 'cache',
      key: 'cacheRule',
      title: { zh_TW: '新增快取規則', zh_CN: '添加缓存规则', en_US: 'Add cache rule' },
      search: { edit: 'new' },
      can: 'cache.write',
      also: 'ttl',
    },
  ],
  also: {
    cache: 'ttl 緩存 快取 cdn',
  },
}
