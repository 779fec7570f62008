/** Automatic certificates of all customers, for their operator. */
import { type AutomaticCertificate, automaticCertificates } from '@breakwater/contract/certificates/automatic.ts'
import { certStatuses } from '@breakwater/contract/domains/domains.ts'
import { z } from 'zod'
import { BulkByIds } from '../kit/BulkConfirm.tsx'
import { Empty } from '../kit/Empty.tsx'
import { SearchInput } from '../kit/Input.tsx'
import { Link } from '../kit/Link.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { Select } from '../kit/Select.tsx'
import { CertificateStatus, whileOrdered } from '../pickers/CertificateStatus.tsx'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'
import { TimeLeft } from './TimeLeft.tsx'
import { useOrderDetail } from './use-order-detail.ts'

const any = -1
const Search = ListSearch.extend({
  domainName: z.string().catch(''),
  status: z.number().int().catch(any),
})

export function AutomaticScreen() {
  const t = usePhrases('certificates')
  const format = useFormat()
  const places = usePlaces()
  const detailText = useOrderDetail()
  const mayWrite = useMay()('domains.write')
  const [state, go] = useListState('automatic-certificates', Search)
  const { page, pageSize, domainName, status } = state
  const question = { domainName, ...(status === any ? {} : { status }) }
  const call = useCall(
    automaticCertificates.list,
    { query: { page, pageSize, ...question } },
    { everyMs: (now) => whileOrdered(now?.data.map(({ status: state }) => state)) },
  )
  const renew = useChange(automaticCertificates.renew, automaticCertificates.list)
  const isFiltered = domainName !== '' || status !== any
  const columns: Column<AutomaticCertificate>[] = [
    { key: 'domainName', title: t('domain'), render: (row) => <span className="mono">{row.domainName}</span> },
    {
      key: 'site',
      title: t('site'),
      render: ({ siteID, siteName }) => <Link to={places.site(siteID, siteName)}>{siteName}</Link>,
    },
    {
      key: 'status',
      title: t('state'),
      render: ({ status: now, detail }) => (
        <span title={detailText(detail)}>
          <CertificateStatus status={now} />
        </span>
      ),
    },
    {
      key: 'expired',
      title: t('left'),
      render: ({ expired }) => expired && <TimeLeft expired={expired} isAutomatic />,
    },
    { key: 'renewAt', title: t('renewAt'), render: ({ renewAt }) => format.day(renewAt) },
    {
      key: 'detail',
      title: t('detail'),
      render: ({ detail }) => detail && <span className="text-ink-2">{detailText(detail)}</span>,
    },
  ]
  return (
    <>
      <PageHead title={t('automatic.title')} help={t('automatic.help')} />
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <SearchInput
          label={t('automatic.search')}
          value={domainName}
          onChange={(text) => go({ domainName: text, page: 1 }, { replace: true })}
        />
        <Select
          label={t('state')}
          value={status}
          options={[
            { value: any, label: t('state.any') },
            ...Object.entries(certStatuses)
              .filter(([name]) => name !== 'none')
              .map(([name, value]) => ({ value: value as number, label: t(`state.${name as 'valid'}`) })),
          ]}
          onChange={(value) => go({ status: value, page: 1 })}
        />
      </div>
      <ResourceTable
        label={t('automatic.title')}
        list="automatic-certificates"
        call={call}
        readPage={(at, size) => send(automaticCertificates.list, { query: { page: at, pageSize: size, ...question } })}
        clearFilters={isFiltered ? () => go({ domainName: '', status: any, page: 1 }) : undefined}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={(row) => row.domainName}
        state={state}
        go={(patch) => go(patch as Partial<typeof state>)}
        bulk={
          mayWrite
            ? (chosen, clear, run) => (
                <BulkByIds
                  label={t('renew')}
                  title={t('renew.title', { n: chosen.length })}
                  consequence={t('renew.text')}
                  rows={chosen}
                  rowName={(row) => <span className="mono">{row.domainName}</span>}
                  act={(ids) => renew.mutateAsync({ body: { ids } })}
                  run={run}
                  clear={clear}
                  done={t('renew.done')}
                />
              )
            : undefined
        }
        empty={<Empty title={t('automatic.empty')}>{t('automatic.emptyText')}</Empty>}
      />
    </>
  )
}
