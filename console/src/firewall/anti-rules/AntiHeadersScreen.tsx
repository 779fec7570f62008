/** Anti-header rules of a domain. */
import { antiHeaders } from '@breakwater/contract/firewall/anti-headers.ts'
import type { ReactNode } from 'react'
import { laterFloat } from '../../kit/later-float.tsx'
import { SiteRules } from '../../pickers/rules/SiteRules.tsx'
import { useRules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { OfDomain } from './OfDomain.tsx'

const AntiHeaderForm = laterFloat('drawer', () => import('./AntiHeaderForm.tsx').then((file) => file.AntiHeaderForm))

export function AntiHeadersScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  return (
    <OfDomain siteId={siteId} title={t('header.title')}>
      {(domainId, choice) => <AntiHeaders key={domainId} siteId={siteId} domainId={domainId} choice={choice} />}
    </OfDomain>
  )
}

type Props = { siteId: number; domainId: number; choice: ReactNode }

function AntiHeaders({ siteId, domainId, choice }: Props) {
  const t = usePhrases('firewall')
  const rules = useRules(antiHeaders, siteId, 'anti-headers', 'firewall.write', domainId)
  return (
    <>
      <SiteRules
        rules={rules}
        title={t('header.title')}
        help={t('header.help')}
        empty={{ title: t('header.empty'), text: t('header.emptyText') }}
        templates={[{ label: t('tpl.noAgent'), rule: { urlRegex: '^/', header: 'User-Agent', valueRegex: '^$' } }]}
        aside={choice}
      />
      {rules.edit && <AntiHeaderForm key={rules.edit} rules={rules} tries="antiHeaders" onClose={rules.close} />}
    </>
  )
}
