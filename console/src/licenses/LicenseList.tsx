/** The list of licences of one kind, with its search, its drawer, and the text of a licence that was signed. */
import { type License, licenses, type OfflineLicense } from '@breakwater/contract/licenses/licenses.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../kit/Button.tsx'
import type { RunBatches } from '../kit/batches.ts'
import { ListScreen } from '../kit/ListScreen.tsx'
import type { Column } from '../kit/ResourceTable.tsx'
import { send } from '../platform/browser.ts'
import { useCall } from '../platform/calls.ts'
import type { Fault } from '../platform/fault.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { KeyDialog } from './KeyDialog.tsx'
import { LicenseDrawer } from './LicenseDrawer.tsx'
import { LicenseFilters, LicenseSearch, queryOf, unfiltered } from './LicenseFilters.tsx'
import { licenseColumns } from './license-columns.tsx'
import type { LicenseForm } from './license-form.ts'
import { useOperators } from './use-operators.ts'

type Page<Row> = { data: Row[]; total: number }
const lists = { online: licenses.list, offline: licenses.offlineList }

type Props<Row extends License> = {
  kind: keyof typeof lists
  /** The key under which the list's look is stored. */
  list: string
  title: string
  help: string
  /** The label of the add button, and the title of its drawer. */
  add: string
  emptyText: string
  /** Columns besides those that both kinds have. */
  columns?: Column<Row>[]
  actions: (row: Row) => ReactNode
  bulk: (rows: Row[], clear: () => void, run: RunBatches<Row>) => ReactNode
  /** Saves the open licence, or a new one. If it is signed at once, its text is shown. */
  save: (form: LicenseForm, opened: Row | undefined) => Promise<{ key: string } | undefined>
  /** The success toast of a save. */
  done: (opened: Row | undefined) => string
}

export function LicenseList<Row extends License | OfflineLicense>(props: Props<Row>) {
  const { kind, list, title, help, add, emptyText, columns = [], actions, bulk, save, done } = props
  const t = usePhrases('licenses')
  const format = useFormat()
  const mayWrite = useMay()('licenses.write')
  const [state, go] = useListState(list, LicenseSearch)
  const [shown, setShown] = useState<{ name: string; key: string }>()
  // `kind` determines the type of the rows.
  const endpoint = lists[kind] as typeof licenses.list
  const call = useCall(endpoint, { query: queryOf(state) }) as unknown as UseQueryResult<Page<Row>, Fault>
  const operators = useOperators(mayWrite)
  const actionsColumn: Column<Row> = {
    key: 'actions',
    title: '',
    end: true,
    render: (row) => (
      <span className="inline-flex gap-1.5">
        {row.key && (
          <Button size="sm" onClick={() => setShown({ name: row.name, key: row.key! })}>
            {t('showKey')}
          </Button>
        )}
        {mayWrite && actions(row)}
      </span>
    ),
  }
  return (
    <>
      <ListScreen
        list={list}
        title={title}
        help={help}
        add={mayWrite ? add : undefined}
        isAddDisabled={operators.length === 0}
        filters={<LicenseFilters state={state} go={go} />}
        call={call}
        columns={[...licenseColumns<Row>(t, format, ({ id }) => go({ edit: id })), ...columns, actionsColumn]}
        rowLabel={({ name }) => name}
        state={state}
        go={go}
        readPage={(page, size) =>
          send(endpoint, { query: { ...queryOf(state), page, pageSize: size } }) as unknown as Promise<Page<Row>>
        }
        bulk={mayWrite ? bulk : undefined}
        clearFilters={state.name || state.status ? () => go(unfiltered) : undefined}
        empty={t('empty')}
        emptyText={operators.length === 0 ? t('noOperators') : emptyText}
        drawer={(opened, close) =>
          operators.length > 0 && (
            <LicenseDrawer
              key={state.edit}
              license={opened}
              operators={operators}
              offline={kind === 'offline'}
              title={opened ? t('edit') : add}
              done={done(opened)}
              save={async (form) => {
                const signed = await save(form, opened)
                if (signed) setShown({ name: form.name, key: signed.key })
              }}
              onClose={close}
            />
          )
        }
      />
      {shown && <KeyDialog name={shown.name} licenseKey={shown.key} onClose={() => setShown(undefined)} />}
    </>
  )
}
