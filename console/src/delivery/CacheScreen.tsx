/** Cache rules of a site, purge and preheat. */
import { cacheRules } from '@breakwater/contract/delivery/cache-rules.ts'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { SiteRules } from '../pickers/rules/SiteRules.tsx'
import { useRules } from '../pickers/rules/useRules.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useSearchState } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'
import { CacheSimulatorPanel } from './CacheSimulator.tsx'
import { CacheStatusPanel } from './CacheStatusPanel.tsx'
import { CompressionPanel } from './CompressionPanel.tsx'
import { followPreheat, PreheatProgress } from './PreheatProgress.tsx'
import { followPurge, PurgeProgress } from './PurgeProgress.tsx'
import { RequestHandlingPanel } from './RequestHandlingPanel.tsx'

const CacheRuleForm = laterFloat('drawer', () => import('./CacheRuleForm.tsx').then((file) => file.CacheRuleForm))
const PreheatDrawer = laterFloat('drawer', () => import('./PreheatDrawer.tsx').then((file) => file.PreheatDrawer))
const PurgeDrawer = laterFloat('drawer', () => import('./PurgeDrawer.tsx').then((file) => file.PurgeDrawer))

/** What a link can ask this page to open. */
const Search = z.object({ purge: z.literal('open').optional().catch(undefined) })

export function CacheScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('delivery')
  const mayPurge = useMay()('cache.purge')
  const [{ purge }, go] = useSearchState(Search)
  const [isPreheating, setPreheating] = useState(false)
  const [isPurging, setPurging] = useState(purge === 'open')
  // A link from the palette or from the site's first page opened the purge drawer. It is read once, like a new rule
  // prefilled elsewhere.
  useEffect(() => {
    if (purge !== 'open') return
    setPurging(true)
    go({ purge: undefined }, { replace: true })
  }, [purge, go])
  const rules = useRules(cacheRules, siteId, 'cache-rules', 'cache.write')
  return (
    <>
      <SiteRules
        rules={rules}
        title={t('title')}
        help={t('help')}
        empty={{ title: t('empty'), text: t('emptyText') }}
        removal={t('remove.text')}
        templates={[
          { label: t('tpl.images'), rule: { type: 'image', ttl: 86_400 } },
          { label: t('tpl.pages'), rule: { type: 'page', ttl: 3600 } },
          { label: t('tpl.never'), rule: { type: 'path', values: ['/admin/'], ttl: 0, priority: 10 } },
        ]}
        aside={
          mayPurge && (
            <>
              <Button onClick={() => setPreheating(true)}>{t('preheat')}</Button>
              <Button onClick={() => setPurging(true)}>{t('purge')}</Button>
            </>
          )
        }
      >
        <PreheatProgress siteId={siteId} />
        <PurgeProgress siteId={siteId} />
      </SiteRules>
      <CacheSimulatorPanel siteId={siteId} />
      <CompressionPanel siteId={siteId} />
      <RequestHandlingPanel siteId={siteId} />
      <CacheStatusPanel siteId={siteId} />
      {rules.edit && <CacheRuleForm key={rules.edit} rules={rules} onClose={rules.close} />}
      {mayPurge && isPreheating && (
        <PreheatDrawer
          siteId={siteId}
          onClose={() => setPreheating(false)}
          onStarted={(taskId) => followPreheat(siteId, taskId)}
        />
      )}
      {mayPurge && isPurging && (
        <PurgeDrawer
          siteId={siteId}
          onClose={() => setPurging(false)}
          onStarted={(taskId) => followPurge(siteId, taskId)}
        />
      )}
    </>
  )
}
