/** Selects the domain of the site whose rules a page shows. */
import { domains } from '@breakwater/contract/domains/domains.ts'
import { type ReactNode, useState } from 'react'
import { Empty } from '../../kit/Empty.tsx'
import { Failed } from '../../kit/faults.tsx'
import { Select } from '../../kit/Select.tsx'
import { useCall } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'

const domainsMax = 500

type Props = { siteId: number; title: string; children: (domainId: number, choice: ReactNode) => ReactNode }

export function OfDomain({ siteId, title, children }: Props) {
  const t = usePhrases('firewall')
  const [chosen, setChosen] = useState<number>()
  const query = { page: 1, pageSize: domainsMax, sortBy: 'name', orderBy: 'asc' } as const
  const call = useCall(domains.list, { siteId, query })
  if (call.isError) return <Failed fault={call.error} retry={() => call.refetch()} />
  if (!call.data) return <div className="skeleton h-40" />
  const all = call.data.data
  const domainId = chosen ?? all[0]?.id
  if (domainId === undefined) return <Empty title={title}>{t('anti.noDomains')}</Empty>
  const choice = (
    <Select
      named
      label={t('anti.domain')}
      value={domainId}
      options={all.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={setChosen}
    />
  )
  return children(domainId, choice)
}
