/** What the consoles wear, per console and host name (screen `customizeLogo`). */
import { type Brand, brands } from '@breakwater/contract/brand/brand.ts'
import { useCall, useChange } from '../app/calls.ts'
import { useListState } from '../app/list-state.ts'
import { usePhrases } from '../app/phrases.ts'
import { ListSearch } from '../app/search-state.ts'
import { useMay } from '../app/session.ts'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Empty } from '../kit/Empty.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { Tags } from '../kit/Status.tsx'
import { toasts } from '../kit/toasts.ts'

const BrandDrawer = laterFloat('drawer', () => import('./BrandDrawer.tsx').then((file) => file.BrandDrawer))

export function BrandsScreen() {
  const t = usePhrases('brand')
  const tApp = usePhrases('app')
  const mayWrite = useMay()('brand.write')
  const [state, go] = useListState('brands', ListSearch)
  const { page, pageSize, edit } = state
  const call = useCall(brands.list, { query: { page, pageSize } })
  const remove = useChange(brands.remove, brands.list, brands.get)
  const opened = call.data?.data.find(({ id }) => id === edit)
  const nameOf = ({ title }: Brand) => title || t('untitled')
  const add = mayWrite && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('add')}
    </Button>
  )
  const columns: Column<Brand>[] = [
    {
      key: 'title',
      title: t('brand'),
      render: (row) => (
        <span className="flex items-center gap-3">
          <span className="grid size-8 shrink-0 place-items-center overflow-hidden rounded-[6px] bg-mute">
            <img src={row.sidebarSimpleLogo || row.logo || '/favicon.svg'} alt="" className="max-h-8 max-w-8" />
          </span>
          <RowName name={nameOf(row)} onOpen={() => go({ edit: row.id })}>
            {row.subTitle}
          </RowName>
        </span>
      ),
    },
    {
      key: 'tiers',
      title: t('tiers'),
      render: ({ tiers }) => <Tags values={tiers.map((tier) => tApp(`console.${tier}`))} />,
    },
    {
      key: 'hosts',
      title: t('hosts'),
      render: ({ hosts }) =>
        hosts.length > 0 ? (
          <span className="mono">{hosts.join(', ')}</span>
        ) : (
          <span className="text-ink-3">{t('hosts.all')}</span>
        ),
    },
    {
      key: 'accent',
      title: t('accent'),
      render: ({ accent }) =>
        accent ? (
          <span className="mono inline-flex items-center gap-2">
            <span aria-hidden className="size-3.5 rounded-[4px] border border-line" style={{ background: accent }} />
            {accent}
          </span>
        ) : (
          <span className="text-ink-3">{t('accent.own')}</span>
        ),
    },
    {
      key: 'actions',
      title: '',
      end: true,
      render: (row) =>
        mayWrite && (
          <ConfirmButton
            size="sm"
            label={t('remove')}
            ariaLabel={`${t('remove')}: ${nameOf(row)}`}
            title={t('remove.title', { name: nameOf(row) })}
            consequence={t('remove.text')}
            confirmLabel={t('remove')}
            onConfirm={async () => {
              await remove.mutateAsync({ body: { id: row.id } })
              toasts.done(t('removed'))
            }}
          />
        ),
    },
  ]
  return (
    <>
      <PageHead title={t('title')} help={t('help')}>
        {add}
      </PageHead>
      <ResourceTable
        label={t('title')}
        list="brands"
        call={call}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={nameOf}
        state={state}
        go={go}
        onOpen={({ id }) => go({ edit: id })}
        empty={
          <Empty title={t('empty')} action={add}>
            {t('emptyText')}
          </Empty>
        }
      />
      {mayWrite && (edit === 'new' || opened) && (
        <BrandDrawer key={edit} brand={opened} onClose={() => go({ edit: undefined })} />
      )}
    </>
  )
}
