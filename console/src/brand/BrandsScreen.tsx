/** The brands of the consoles, by console and host name (screen `customizeLogo`). */
import { type Brand, brands } from '@breakwater/contract/brand/brand.ts'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { ListScreen } from '../kit/ListScreen.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import type { Column } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { Tags } from '../kit/Status.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'

const BrandDrawer = laterFloat('drawer', () => import('./BrandDrawer.tsx').then((file) => file.BrandDrawer))

export function BrandsScreen() {
  const t = usePhrases('brand')
  const tPlatform = usePhrases('platform')
  const mayWrite = useMay()('brand.write')
  const [state, go] = useListState('brands', ListSearch)
  const { page, pageSize } = state
  const call = useCall(brands.list, { query: { page, pageSize } })
  const remove = useChange(brands.remove, brands.list, brands.get)
  const nameOf = ({ title }: Brand) => title || t('untitled')
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
      render: ({ tiers }) => <Tags values={tiers.map((tier) => tPlatform(`console.${tier}`))} />,
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
    <ListScreen
      list="brands"
      title={t('title')}
      help={t('help')}
      add={mayWrite ? t('add') : undefined}
      call={call}
      columns={columns}
      rowLabel={nameOf}
      state={state}
      go={go}
      empty={t('empty')}
      emptyText={t('emptyText')}
      drawer={(opened, close) => mayWrite && <BrandDrawer key={state.edit} brand={opened} onClose={close} />}
    />
  )
}
