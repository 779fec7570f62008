/** From a number to a rule: selects the site, then opens its rule drawer with the form prefilled. */
import { sites } from '@breakwater/contract/sites/sites.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Failed } from '../../kit/faults.tsx'
import { Select } from '../../kit/Select.tsx'
import { useCall } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { usePlaces } from '../../platform/places.ts'
import { useStatView } from './view.ts'

/** Addresses for the deny list, or a page for a rate rule. */
export type RuleDraft = { kind: 'deny' | 'rate'; names: string[] }

export function RuleDialog({ draft: { kind, names }, onClose }: { draft: RuleDraft; onClose: () => void }) {
  const t = usePhrases('statistics')
  const places = usePlaces()
  const navigate = useNavigate()
  const view = useStatView()
  const { data, error } = useCall(sites.meta, {})
  const [chosen, setChosen] = useState(view.site)
  const site = data?.data.find(({ siteID }) => siteID === chosen) ?? data?.data[0]
  const open = () =>
    site &&
    navigate({
      to: places.site(site.siteID, site.siteName),
      search: { tab: kind === 'deny' ? 'denyList' : 'rateRules', edit: 'new', rule: ruleOf(kind, names) } as never,
    })
  return (
    <Dialog
      title={t(`rule.${kind}`)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('rule.cancel')}</Button>
          <Button look="solid" disabled={!site} onClick={() => void open()}>
            {t('rule.open')}
          </Button>
        </>
      }
    >
      {error && <Failed fault={error} />}
      <p className="mb-2 text-ink-2">{t(`rule.${kind}Text`)}</p>
      <p className="mono mb-3 max-h-32 overflow-y-auto break-all rounded-[6px] bg-sunken px-2.5 py-1.5">
        {names.join(', ')}
      </p>
      {site && (
        <Select
          label={t('site')}
          named
          value={site.siteID}
          onChange={setChosen}
          options={data!.data.map(({ siteID, siteName }) => ({ value: siteID, label: siteName }))}
          className="w-full"
        />
      )}
    </Dialog>
  )
}

/** The prefilled fields. A page consists of host and path: the rule matches exactly the path. */
function ruleOf(kind: RuleDraft['kind'], names: string[]): object {
  if (kind === 'deny') return { ips: names }
  const path = names[0]!.slice(names[0]!.indexOf('/'))
  return { urlRegex: `^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$` }
}
