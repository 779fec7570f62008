/** A page for a list whose rows open in a drawer: its header with the add button, the list, the open drawer. */
import type { ComponentProps, ReactNode } from 'react'
import type { ListSearch } from '../platform/search-state.ts'
import { Button } from './Button.tsx'
import { Empty } from './Empty.tsx'
import { PageHead } from './PageHead.tsx'
import { ResourceTable } from './ResourceTable.tsx'

type Numbered = { id: number }
type Shared = 'list' | 'call' | 'columns' | 'rowLabel' | 'bulk' | 'readPage' | 'clearFilters'

type Props<Row extends Numbered> = Pick<ComponentProps<typeof ResourceTable<Row>>, Shared> & {
  title: string
  help: string
  /** The search parameters: `edit` is the open drawer, `new` or an id. */
  state: ListSearch
  go: (patch: Partial<ListSearch>) => void
  /** The label of the add button; undefined without permission. */
  add: string | undefined
  /** Something is missing that a new one needs first. */
  isAddDisabled?: boolean
  /** Between header and list. */
  filters?: ReactNode
  empty: string
  emptyText: ReactNode
  /** The drawer of the opened row, or of a new one. */
  drawer: (opened: Row | undefined, close: () => void) => ReactNode
}

export function ListScreen<Row extends Numbered>(props: Props<Row>) {
  const { title, help, state, go, add, isAddDisabled = false, filters, empty, emptyText, drawer, ...table } = props
  const opened = table.call.data?.data.find(({ id }) => id === state.edit)
  const adding = add !== undefined && (
    <Button look="solid" disabled={isAddDisabled} onClick={() => go({ edit: 'new' })}>
      {add}
    </Button>
  )
  return (
    <>
      <PageHead title={title} help={help}>
        {adding}
      </PageHead>
      {filters}
      <ResourceTable
        {...table}
        label={title}
        rowKey={({ id }) => id}
        state={state}
        go={go}
        onOpen={({ id }) => go({ edit: id })}
        empty={
          <Empty title={empty} action={adding}>
            {emptyText}
          </Empty>
        }
      />
      {(state.edit === 'new' || opened) && drawer(opened, () => go({ edit: undefined }))}
    </>
  )
}
