/** A page that is a list of things with a drawer each: its head with the button that makes one, the list, the open drawer. */
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
  /** The address: its `edit` is the open drawer, `new` or an id. */
  state: ListSearch
  go: (patch: Partial<ListSearch>) => void
  /** The button that makes one; nothing for who may not. */
  add: string | undefined
  /** There is nothing yet to make one of. */
  isAddDisabled?: boolean
  /** Between head and list. */
  filters?: ReactNode
  empty: string
  emptyText: ReactNode
  /** Of the opened one, or of a new one. */
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
