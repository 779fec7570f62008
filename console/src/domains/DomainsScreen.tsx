/** Domains of a site, their origins and header modules, and the credential that origins can ask for. */
import { type Domain, domains } from '@breakwater/contract/domains/domains.ts'
import { z } from 'zod'
import { send } from '../app/browser.ts'
import { useCall, useChange } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { useListState } from '../app/list-state.ts'
import { usePhrases } from '../app/phrases.ts'
import { ListSearch } from '../app/search-state.ts'
import { useMay } from '../app/session.ts'
import { BulkConfirm } from '../kit/BulkConfirm.tsx'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { SearchInput } from '../kit/Input.tsx'
import { later } from '../kit/later.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { Status, Tags } from '../kit/Status.tsx'
import { formatOrigin } from '../pickers/origin-address.ts'
import { CredentialPanel } from './CredentialPanel.tsx'
import { Ownership } from './Ownership.tsx'

const ListViews = later(() => import('../pickers/ListViews.tsx').then((file) => file.ListViews))
const DomainForm = laterFloat('drawer', () => import('./DomainForm.tsx').then((file) => file.DomainForm))
const DomainDrawer = laterFloat('drawer', () => import('./DomainDrawer.tsx').then((file) => file.DomainDrawer))

const Search = ListSearch.extend({
  keywords: z.string().catch(''),
  sortBy: z.enum(['name', 'createdAt', 'updatedAt']).optional().catch(undefined),
})

export function DomainsScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('domains')
  const format = useFormat()
  const mayWrite = useMay()('domains.write')
  const [state, go] = useListState('domains', Search)
  const { page, pageSize, keywords, sortBy, orderBy, edit } = state
  const question = { keywords, orderBy, ...(sortBy ? { sortBy } : {}) }
  const call = useCall(domains.list, { siteId, query: { page, pageSize, ...question } })
  const removing = useChange(domains.remove, domains.list)
  const opened = call.data?.data.find(({ id }) => id === edit)
  const close = () => go({ edit: undefined })

  const columns: Column<Domain>[] = [
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
        // Nobody's visitors are served under a name before its owner is proven.
        const isPending = ownership.state === 'pending'
        return <Status tone={isPending ? 'warn' : 'ok'}>{t(isPending ? 'state.preview' : 'state.serving')}</Status>
      },
    },
    { key: 'ownership', title: t('ownership'), render: (domain) => <Ownership state={domain.ownership.state} /> },
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
      render: ({ cname }) => <span className="mono block max-w-[220px] truncate text-ink-2">{cname || '—'}</span>,
    },
    { key: 'tags', title: t('tags'), render: ({ tags }) => <Tags values={tags} few /> },
    {
      key: 'updatedAt',
      title: t('changed'),
      sort: true,
      render: ({ updatedAt }) => <span className="text-ink-3">{format.ago(updatedAt)}</span>,
    },
  ]
  const add = mayWrite && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('title')}>{add}</PageHead>
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <SearchInput
          label={t('search')}
          value={keywords}
          onChange={(text) => go({ keywords: text, page: 1 }, { replace: true })}
        />
        <ListViews list="domains" />
      </div>
      <ResourceTable
        label={t('title')}
        list="domains"
        call={call}
        readPage={(at, size) => send(domains.list, { siteId, query: { page: at, pageSize: size, ...question } })}
        clearFilters={keywords ? () => go({ keywords: '', page: 1 }) : undefined}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        state={state}
        go={(patch) => go(patch as Partial<typeof state>)}
        onOpen={({ id }) => go({ edit: id })}
        bulk={
          mayWrite
            ? (chosen, clear, run) => (
                <BulkConfirm
                  label={t('remove.title', { n: chosen.length }).replace(/[?？]$/, '')}
                  title={t('remove.title', { n: chosen.length })}
                  consequence={t('remove.text')}
                  rows={chosen}
                  rowKey={({ id }) => id}
                  rowName={({ name }) => <span className="mono">{name}</span>}
                  act={(batch) => removing.mutateAsync({ siteId, body: { ids: batch.map(({ id }) => id) } })}
                  run={run}
                  clear={clear}
                  done={t('removed')}
                />
              )
            : undefined
        }
        empty={
          <Empty title={t('empty')} action={add}>
            {t('empty.text')}
          </Empty>
        }
      />
      <CredentialPanel siteId={siteId} />
      {edit === 'new' && <DomainForm siteId={siteId} onClose={close} />}
      {opened && <DomainDrawer key={opened.id} siteId={siteId} domain={opened} onClose={close} />}
    </>
  )
}
