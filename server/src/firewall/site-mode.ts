/** Whole-site protection: what nodes get of it, and whether it was saved. */
import { pathOfUrl, siteMode, siteModeExists } from '@breakwater/contract/firewall/site-mode.ts'
import { type Feature, implement } from '../http/implement.ts'
import { requireSite } from '../publish/change-site.ts'
import { siteSettings } from '../settings/site-settings.ts'

export const siteModeSettings = siteSettings(siteMode, {
  render({ enable, mode, threshold = 0, blockType, blockSeconds, whiteUrls }, out) {
    if (!enable) return
    const whitePaths = [...new Set(whiteUrls.flatMap((url) => pathOfUrl(url) ?? []))].sort()
    const auto = mode === 'auto' ? { auto: { threshold } } : {}
    out.set('firewall', { siteMode: { blockType: mode === 'off' ? 0 : blockType, blockSeconds, whitePaths, ...auto } })
    out.requires.add('siteMode')
    if (mode === 'auto') out.requires.add('automaticProtection')
  },
})

export function siteModeFeature(): Feature {
  return implement(siteModeExists, {
    async exists({ db, siteId }) {
      const { id } = await requireSite(db, siteId)
      const { settings } = await db
        .selectFrom('sites')
        .select('settings')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return { exists: settings[siteMode.name] !== undefined }
    },
  })
}
