import { useState } from 'react'
import { Dialog } from '../../kit/Dialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import type { Column } from '../../kit/ResourceTable.tsx'
import { RowName } from '../../kit/RowName.tsx'
import { ListSearch } from '../../platform/search-state.ts'
import { loaded } from '../loaded.ts'
import type { Stories } from '../story.ts'

type Row = { id: number; name: string; sites: number }
const rows: Row[] = [
  { id: 1, name: 'Basic', sites: 12 },
  { id: 2, name: 'Business', sites: 3 },
]

function Screen({ title, data }: { title: string; data: Row[] }) {
  const [state, setState] = useState(() => ListSearch.parse({}))
  const go = (patch: Partial<ListSearch>) => setState({ ...state, ...patch })
  const columns: Column<Row>[] = [
    { key: 'name', title: 'Name', render: ({ id, name }) => <RowName name={name} onOpen={() => go({ edit: id })} /> },
    { key: 'sites', title: 'Sites', end: true, render: ({ sites }) => sites },
  ]
  return (
    <ListScreen
      list="gallery.products"
      title={title}
      help="What customers can choose."
      add="Add product"
      call={loaded({ data, total: data.length })}
      columns={columns}
      rowLabel={({ name }) => name}
      state={state}
      go={go}
      empty="No products yet"
      emptyText="A product says which nodes serve a site."
      drawer={(opened, close) => (
        <Dialog title={opened?.name ?? 'Add product'} onClose={close}>
          Its fields
        </Dialog>
      )}
    />
  )
}

export const stories: Stories = {
  rows: () => <Screen title="Products" data={rows} />,
  empty: () => <Screen title="Products of nobody" data={[]} />,
}
