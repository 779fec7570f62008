/** Certificates of a site: what they cover, which domains use them, and when they expire. */
import { type CertificateRow, certificates } from '@breakwater/contract/certificates/certificates.ts'
import { z } from 'zod'
import { BulkByIds } from '../kit/BulkConfirm.tsx'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { SearchInput } from '../kit/Input.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { Tags } from '../kit/Status.tsx'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'
import { TimeLeft } from './TimeLeft.tsx'
import { TlsPanel } from './TlsPanel.tsx'

const UploadForm = laterFloat('drawer', () => import('./UploadForm.tsx').then((file) => file.UploadForm))
const CertificateDrawer = laterFloat('drawer', () =>
  import('./CertificateDrawer.tsx').then((file) => file.CertificateDrawer),
)

const Search = ListSearch.extend({
  name: z.string().catch(''),
  sortBy: z.enum(['name', 'createdAt', 'expired']).optional().catch(undefined),
})

export function CertificatesScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('certificates')
  const mayWrite = useMay()('domains.write')
  const [state, go] = useListState('certificates', Search)
  const { page, pageSize, name, sortBy, orderBy, edit } = state
  const question = { name, orderBy, ...(sortBy ? { sortBy } : {}) }
  const call = useCall(certificates.list, { siteId, query: { page, pageSize, ...question } })
  const removing = useChange(certificates.remove, certificates.list)
  const opened = call.data?.data.find(({ id }) => id === edit)
  const close = () => go({ edit: undefined })
  const columns: Column<CertificateRow>[] = [
    {
      key: 'name',
      title: t('name'),
      sort: true,
      render: ({ id, name: text }) => <RowName name={text} onOpen={() => go({ edit: id })} />,
    },
    { key: 'names', title: t('covers'), render: ({ names }) => <Tags values={names} few /> },
    { key: 'domains', title: t('usedBy'), end: true, render: ({ domains }) => domains.length },
    {
      key: 'source',
      title: t('source'),
      render: ({ source, algorithm }) => (
        <span className="text-ink-2">
          {t(`source.${source}`)} · {t(`algorithm.${algorithm}`)}
        </span>
      ),
    },
    { key: 'issuer', title: t('issuer'), render: ({ issuer }) => <span className="text-ink-2">{issuer}</span> },
    {
      key: 'expired',
      title: t('left'),
      sort: true,
      render: ({ expired, source }) => <TimeLeft expired={expired} isAutomatic={source === 'automatic'} />,
    },
  ]
  const add = mayWrite && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('upload')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('title')} help={t('help')}>
        {add}
      </PageHead>
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <SearchInput
          label={t('search')}
          value={name}
          onChange={(text) => go({ name: text, page: 1 }, { replace: true })}
        />
      </div>
      <ResourceTable
        label={t('title')}
        list="certificates"
        call={call}
        readPage={(at, size) => send(certificates.list, { siteId, query: { page: at, pageSize: size, ...question } })}
        clearFilters={name ? () => go({ name: '', page: 1 }) : undefined}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={(row) => row.name}
        state={state}
        go={(patch) => go(patch as Partial<typeof state>)}
        onOpen={({ id }) => go({ edit: id })}
        bulk={
          mayWrite
            ? (chosen, clear, run) => (
                <BulkByIds
                  label={t('remove')}
                  title={t('remove.title', { n: chosen.length })}
                  consequence={t('remove.text')}
                  rows={chosen}
                  rowName={(row) => row.name}
                  act={(ids) => removing.mutateAsync({ siteId, body: { ids } })}
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
      <TlsPanel siteId={siteId} />
      {edit === 'new' && <UploadForm siteId={siteId} onClose={close} onMade={(id) => go({ edit: id })} />}
      {opened && <CertificateDrawer key={opened.id} siteId={siteId} certificate={opened} onClose={close} />}
    </>
  )
}
