/** Whether a whole site is currently challenged, and what turned that on: a saved setting or the traffic. */
import { type SiteMode, siteMode, siteModeState } from '@breakwater/contract/firewall/site-mode.ts'
import { asSystem } from '../db/database.ts'
import { type Feature, implement } from '../http/implement.ts'
import { requireSite } from '../publish/change-site.ts'
import { attacksOn } from './attacks-on.ts'

const attacksMax = 10
export function siteModeStateFeature(): Feature {
  return implement(siteModeState, {
    async state({ db, siteId }) {
      const site = await requireSite(db, siteId)
      const { settings } = await db
        .selectFrom('sites')
        .select('settings')
        .where('id', '=', site.id)
        .executeTakeFirstOrThrow()
      const value = settings[siteMode.name] as SiteMode | undefined
      const attacks = await asSystem(db, (tx) => attacksOn(tx, [site.id]))
      const recent = attacks.slice(0, attacksMax).map(({ siteId: _, ids: __, ...attack }) => attack)
      const none = { challenges: false, switchedBy: 'nobody' as const, since: null, who: '', attacks: recent }
      if (!value?.enable || value.mode === 'off') return none
      if (value.mode === 'auto') {
        const now = attacks.find(({ endedAt }) => endedAt === null)
        return now ? { ...none, challenges: true, switchedBy: 'traffic' as const, since: now.beganAt } : none
      }
      const saved = await db
        .selectFrom('revisions')
        .select(['actor', 'createdAt'])
        .where('siteId', '=', site.id)
        .where('action', '=', siteMode.calls.update.audit!)
        .orderBy('revision', 'desc')
        .limit(1)
        .executeTakeFirst()
      const since = saved?.createdAt.toISOString() ?? null
      return { ...none, challenges: true, switchedBy: 'person' as const, since, who: saved?.actor ?? '' }
    },
  })
}
