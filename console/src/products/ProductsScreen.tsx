/** The operator's products, with their groups and limits. */
import { type Product, products } from '@breakwater/contract/products/products.ts'
import { ListScreen } from '../kit/ListScreen.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import type { Column } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { Badge, Tags } from '../kit/Status.tsx'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'

const ProductDrawer = laterFloat('drawer', () => import('./ProductDrawer.tsx').then((file) => file.ProductDrawer))

const groupNames = ({ groups }: Product, isBackup: boolean) =>
  groups.filter((group) => group.isBackup === isBackup).map(({ zoneName, groupName }) => `${zoneName} / ${groupName}`)

export function ProductsScreen() {
  const t = usePhrases('products')
  const format = useFormat()
  const mayWrite = useMay()('products.write')
  const [state, go] = useListState('products', ListSearch)
  const { page, pageSize } = state
  const call = useCall(products.list, { query: { page, pageSize } })
  const columns: Column<Product>[] = [
    {
      key: 'name',
      title: t('name'),
      render: ({ id, name, selfService }) => (
        <span className="inline-flex items-center gap-2">
          <RowName name={name} onOpen={() => go({ edit: id })} />
          {selfService && <Badge tone="info">{t('selfService')}</Badge>}
        </span>
      ),
    },
    {
      key: 'portType',
      title: t('portType'),
      render: ({ portType }) => t(portType === 4 ? 'portType.4' : 'portType.7'),
    },
    { key: 'main', title: t('main'), render: (product) => <Tags values={groupNames(product, false)} few /> },
    { key: 'backup', title: t('backup'), render: (product) => <Tags values={groupNames(product, true)} few /> },
    {
      key: 'sites',
      title: t('sites'),
      end: true,
      render: ({ siteCount, siteLimit }) =>
        siteLimit === 0 ? format.number(siteCount) : `${format.number(siteCount)} / ${format.number(siteLimit)}`,
    },
  ]
  return (
    <ListScreen
      list="products"
      title={t('title')}
      help={t('help')}
      add={mayWrite ? t('add') : undefined}
      call={call}
      columns={columns}
      rowLabel={({ name }) => name}
      state={state}
      go={go}
      empty={t('empty')}
      emptyText={t('empty.text')}
      drawer={(opened, close) => <ProductDrawer key={state.edit} product={opened} onClose={close} />}
    />
  )
}
