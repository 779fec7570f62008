/** Cache rules of a site, and purging. */
import { cacheRules } from '@breakwater/contract/delivery/cache-rules.ts'
import { useState } from 'react'
import { usePhrases } from '../app/phrases.ts'
import { useMay } from '../app/session.ts'
import { Button } from '../kit/Button.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { SiteRules } from '../pickers/rules/SiteRules.tsx'
import { useRules } from '../pickers/rules/useRules.ts'
import { followPurge, PurgeProgress } from './PurgeProgress.tsx'

const CacheRuleForm = laterFloat('drawer', () => import('./CacheRuleForm.tsx').then((file) => file.CacheRuleForm))
const PurgeDrawer = laterFloat('drawer', () => import('./PurgeDrawer.tsx').then((file) => file.PurgeDrawer))

export function CacheScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('delivery')
  const mayPurge = useMay()('cache.purge')
  const [isPurging, setPurging] = useState(false)
  const rules = useRules(cacheRules, siteId, 'cache-rules', 'cache.write')
  return (
    <>
      <SiteRules
        rules={rules}
        title={t('title')}
        help={t('help')}
        empty={{ title: t('empty'), text: t('emptyText') }}
        hasMode={false}
        removal={t('remove.text')}
        templates={[
          { label: t('tpl.images'), rule: { type: 'image', ttl: 86_400 } },
          { label: t('tpl.pages'), rule: { type: 'page', ttl: 3600 } },
          { label: t('tpl.never'), rule: { type: 'path', values: ['/admin/'], ttl: 0, priority: 10 } },
        ]}
        aside={mayPurge && <Button onClick={() => setPurging(true)}>{t('purge')}</Button>}
      >
        <PurgeProgress siteId={siteId} />
      </SiteRules>
      {rules.edit && <CacheRuleForm key={rules.edit} rules={rules} onClose={rules.close} />}
      {isPurging && (
        <PurgeDrawer
          siteId={siteId}
          onClose={() => setPurging(false)}
          onStarted={(taskId) => followPurge(siteId, taskId)}
        />
      )}
    </>
  )
}
