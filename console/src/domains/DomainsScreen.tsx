/** Domains of a site, with their state and their origins. */
import { type Domain, domains } from '@breakwater/contract/domains/domains.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { useMemo, useState } from 'react'
import { afterCalls } from '../kit/after-calls.ts'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { later } from '../kit/later.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { Status, Tags } from '../kit/Status.tsx'
import { CertificateStatus, whileOrdered } from '../pickers/CertificateStatus.tsx'
import { formatOrigin } from '../pickers/origin-address.ts'
import { send } from '../platform/browser.ts'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { DomainFilters, DomainSearch, domainQuery, hasFilters, noDomainFilters } from './DomainFilters.tsx'
import { DomainHours, DomainRequests, useDomainHours } from './DomainRequests.tsx'
import { dnsTones } from './dns-tones.ts'
import { Ownership } from './Ownership.tsx'

const ListViews = later(afterCalls(() => import('../pickers/ListViews.tsx').then((file) => file.ListViews)))
const DomainActions = later(() => import('./DomainActions.tsx').then((file) => file.DomainActions))
const ManyDomainsForm = laterFloat('drawer', () => import('./ManyDomainsForm.tsx').then((file) => file.ManyDomainsForm))
const DomainForm = laterFloat('drawer', () => import('./DomainForm.tsx').then((file) => file.DomainForm))
const DomainDrawer = laterFloat('drawer', () => import('./DomainDrawer.tsx').then((file) => file.DomainDrawer))

export function DomainsScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('domains')
  const mayWrite = useMay()('domains.write')
  const [state, go] = useListState('domains', DomainSearch)
  const { page, pageSize, edit } = state
  const [isAddingMany, setAddingMany] = useState(false)
  const question = domainQuery(state)
  const call = useCall(
    domains.list,
    { siteId, query: { page, pageSize, ...question } },
    { everyMs: (now) => whileOrdered(now?.data.map(({ certStatus }) => certStatus)) },
  )
  const hours = useDomainHours(call.data?.data)
  const site = useCall(sites.get, { siteId }).data
  // 0 means no limit.
  const max = site?.limitations.domains ?? 0
  const opened = call.data?.data.find(({ id }) => id === edit)
  const close = () => go({ edit: undefined })

  const columns = useColumns(go)
  const add = mayWrite && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('add')}
    </Button>
  )
  const addMany = mayWrite && <Button onClick={() => setAddingMany(true)}>{t('many.add')}</Button>
  return (
    <>
      <PageHead title={t('title')} help={max > 0 ? t('room', { n: site?.domainCount ?? 0, max }) : ''}>
        {addMany}
        {add}
      </PageHead>
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <DomainFilters siteId={siteId} state={state} go={go} />
        <ListViews list="domains" />
      </div>
      <DomainHours value={hours}>
        <ResourceTable
          label={t('title')}
          list="domains"
          call={call}
          readPage={(at, size) => send(domains.list, { siteId, query: { page: at, pageSize: size, ...question } })}
          clearFilters={hasFilters(state) ? () => go(noDomainFilters) : undefined}
          columns={columns}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          state={state}
          go={(patch) => go(patch as Partial<typeof state>)}
          onOpen={({ id }) => go({ edit: id })}
          bulk={
            mayWrite
              ? (chosen, clear, run) => <DomainActions siteId={siteId} rows={chosen} clear={clear} run={run} />
              : undefined
          }
          empty={
            <Empty title={t('empty')} action={add}>
              {t('empty.text')}
            </Empty>
          }
        />
      </DomainHours>
      {isAddingMany && <ManyDomainsForm siteId={siteId} onClose={() => setAddingMany(false)} />}
      {edit === 'new' && (
        <DomainForm siteId={siteId} onClose={close} onMade={(id) => go({ edit: id }, { replace: true })} />
      )}
      {opened && <DomainDrawer key={opened.id} siteId={siteId} domain={opened} onClose={close} />}
    </>
  )
}

/** The same columns until the language changes, so that the rows do not render again with every change of the screen. */
function useColumns(go: (patch: { edit: number }) => void): Column<Domain>[] {
  const t = usePhrases('domains')
  const tCertificates = usePhrases('certificates')
  const format = useFormat()
  return useMemo(() => {
    return [
      {
        key: 'name',
        title: t('name'),
        sort: true,
        render: ({ id, name }) => <RowName name={name} onOpen={() => go({ edit: id })} />,
      },
      {
        key: 'state',
        title: t('state'),
        render: ({ status, ownership }) => {
          if (status !== 1) return <Status tone="mute">{t('state.off')}</Status>
          // A domain serves no visitors before its ownership is proven.
          const isPending = ownership.state === 'pending'
          return <Status tone={isPending ? 'warn' : 'ok'}>{t(isPending ? 'state.preview' : 'state.serving')}</Status>
        },
      },
      { key: 'ownership', title: t('ownership'), render: (domain) => <Ownership state={domain.ownership.state} /> },
      {
        key: 'dns',
        title: t('dns'),
        render: ({ cnameStatuses: [state = 0] }) => (
          <Status tone={dnsTones[state] ?? 'mute'}>{t(`dns.${state as 0 | 1 | 2 | 3}`)}</Status>
        ),
      },
      {
        key: 'certStatus',
        title: tCertificates('certificate'),
        render: ({ certStatus }) => <CertificateStatus status={certStatus} />,
      },
      {
        key: 'requests',
        title: t('requests'),
        end: true,
        render: ({ id }) => <DomainRequests id={id} />,
      },
      {
        key: 'origins',
        title: t('origin'),
        render: ({ upstreams }) => (
          <span className="mono text-ink-2">
            {upstreams[0] && formatOrigin(upstreams[0])}
            {upstreams.length > 1 && ` +${upstreams.length - 1}`}
          </span>
        ),
      },
      {
        key: 'cname',
        title: t('cname'),
        render: ({ cname }) => <span className="mono block max-w-[220px] truncate text-ink-2">{cname || '–'}</span>,
      },
      { key: 'tags', title: t('tags'), render: ({ tags }) => <Tags values={tags} few /> },
      {
        key: 'updatedAt',
        title: t('changed'),
        sort: true,
        render: ({ updatedAt }) => <span className="text-ink-3">{format.ago(updatedAt)}</span>,
      },
    ]
  }, [t, tCertificates, format, go])
}
