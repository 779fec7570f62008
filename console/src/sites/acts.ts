/**
 * The actions that the palette offers here, and synonyms that people type. Separate from `area.ts`, which the first
 * page loads.
 */
import type { Acts } from '../platform/manifest.ts'

export const acts: Acts = {
  acts: [
    {
      tab: 'overview',
      key: 'pause',
      title: { zh_TW: '暫停或恢復站點', zh_CN: '暂停或恢复站点', en_US: 'Pause or resume site' },
      search: { ask: 'status' },
      can: 'sites.write',
      // Customers cannot do this.
      tiers: ['client'],
      also: 'stop suspend disable maintenance offline 停用 停止 下線 下线 維護 维护',
    },
  ],
  also: {
    history: 'revisions restore rollback undo versions 歷程 还原 回滚 版本',
  },
}
