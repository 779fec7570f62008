/** Anti-referer rules of a domain. */
import { antiReferers } from '@breakwater/contract/firewall/anti-referers.ts'
import type { ReactNode } from 'react'
import { laterFloat } from '../../kit/later-float.tsx'
import { SiteRules } from '../../pickers/rules/SiteRules.tsx'
import { useRules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { OfDomain } from './OfDomain.tsx'

const AntiRefererForm = laterFloat('drawer', () => import('./AntiRefererForm.tsx').then((file) => file.AntiRefererForm))

export function AntiReferersScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  return (
    <OfDomain siteId={siteId} title={t('referer.title')}>
      {(domainId, choice) => <AntiReferers key={domainId} siteId={siteId} domainId={domainId} choice={choice} />}
    </OfDomain>
  )
}

type Props = { siteId: number; domainId: number; choice: ReactNode }

function AntiReferers({ siteId, domainId, choice }: Props) {
  const t = usePhrases('firewall')
  const rules = useRules(antiReferers, siteId, 'anti-referers', 'firewall.write', domainId)
  return (
    <>
      <SiteRules
        rules={rules}
        title={t('referer.title')}
        help={t('referer.help')}
        empty={{ title: t('referer.empty'), text: t('referer.emptyText') }}
        templates={[{ label: t('tpl.hotlinks'), rule: { urlRegex: '\\.(jpe?g|png|webp|mp4)$' } }]}
        aside={choice}
      />
      {rules.edit && <AntiRefererForm key={rules.edit} rules={rules} onClose={rules.close} />}
    </>
  )
}
