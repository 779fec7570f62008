import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Empty } from '../../kit/Empty.tsx'
import { Pager } from '../../kit/Pager.tsx'
import { type Column, ResourceTable } from '../../kit/ResourceTable.tsx'
import { RowName } from '../../kit/RowName.tsx'
import { Status } from '../../kit/Status.tsx'
import { loaded, loading, refused } from '../loaded.ts'
import type { Stories } from '../story.ts'

type Row = { id: number; name: string; requests: number }
type Page = { data: Row[]; total: number }

const rows: Row[] = ['shop.example', 'img.example', 'api.example'].map((name, index) => ({
  id: index + 1,
  name,
  requests: 82_400_000 >> (index * 4),
}))

const columns = (open: (row: Row) => void): Column<Row>[] => [
  {
    key: 'name',
    title: 'Domain',
    sort: true,
    render: (row) => <RowName name={row.name} mono onOpen={() => open(row)} />,
  },
  { key: 'state', title: 'State', render: () => <Status tone="ok">Serving</Status> },
  { key: 'requests', title: 'Requests', end: true, sort: true, render: (row) => row.requests },
]

const fixed = {
  label: 'Domains',
  columns: columns(() => {}),
  rowKey: (row: Row) => row.id,
  rowLabel: (row: Row) => row.name,
  empty: <Empty title="No domains yet" />,
}

function Table() {
  const [state, setState] = useState<{
    page: number
    pageSize: 25 | 50 | 75 | 100
    orderBy: 'asc' | 'desc'
    sortBy?: string
  }>({ page: 1, pageSize: 25, orderBy: 'desc', sortBy: 'requests' })
  const [opened, setOpened] = useState('nothing')
  return (
    <div data-state={JSON.stringify(state)}>
      <ResourceTable
        {...fixed}
        call={loaded({ data: rows, total: 60 })}
        columns={columns((row) => setOpened(row.name))}
        state={state}
        go={(patch) => setState({ ...state, ...(patch as Partial<typeof state>) })}
        onOpen={(row) => setOpened(row.name)}
        list="gallery.domains"
        readPage={() => Promise.resolve({ data: rows, total: 60 })}
        bulk={(chosen, clear) => (
          <Button size="sm" onClick={clear}>
            Pause {chosen.length}
          </Button>
        )}
      />
      <output>{opened}</output>
    </div>
  )
}

export const stories: Stories = {
  rows: () => <Table />,
  empty: () => <ResourceTable {...fixed} label="No domains" call={loaded<Page>({ data: [], total: 0 })} />,
  loading: { waits: true, show: () => <ResourceTable {...fixed} label="Domains to come" call={loading<Page>()} /> },
  failed: () => <ResourceTable {...fixed} call={refused<Page>()} />,
  pager: () => <Pager state={{ page: 2, pageSize: 25 }} go={() => {}} total={10_000} isCapped />,
}
