/** The modules of one family that this site's domains can be bound to; an opened one shows its items. */
import { Memo, Name } from '@breakwater/contract/fields.ts'
import type { Module, ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { BulkByIds } from '../kit/BulkConfirm.tsx'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'
import { ModuleDrawer } from './ModuleDrawer.tsx'

/** The props of the drawer for a new module. */
export type NewModule = { onClose: () => void; onMade: (id: number | undefined) => void }

type Props = {
  siteId: number
  family: ModuleFamily
  /** The key under which the list's look is stored. */
  list: string
  title: string
  help: string
  /** The title of the column with the number of items. */
  items: string
  emptyText: string
  /** What that column counts, if modules have no items. */
  countOf?: (row: Module) => number
  /** The drawer for a new module, if it needs more than a name; the opened module then changes its name itself. */
  newModule?: (props: NewModule) => ReactNode
  /** The items of the opened module. */
  children: (module: Module) => ReactNode
}

export function ModulesScreen(props: Props) {
  const { siteId, family, list, title, help, items, emptyText, countOf, newModule, children } = props
  const t = usePhrases('modules')
  const mayWrite = useMay()('modules.write')
  const { calls, count } = family
  const [state, go] = useListState(list, ListSearch)
  const { page, pageSize, edit } = state
  const call = useCall(calls.list, { siteId, query: { page, pageSize } })
  const removing = useChange(calls.remove, calls.list)
  const opened = call.data?.data.find(({ id }) => id === edit)
  const close = () => go({ edit: undefined })
  const columns: Column<Module>[] = [
    {
      key: 'name',
      title: t('name'),
      render: ({ id, name }) => <RowName name={name} onOpen={() => go({ edit: id })} />,
    },
    { key: 'items', title: items, end: true, render: (row) => String(countOf ? countOf(row) : row[count]) },
    { key: 'domains', title: t('domains'), end: true, render: ({ domainCount }) => domainCount },
    { key: 'memo', title: t('memo'), render: ({ memo }) => memo && <span className="text-ink-2">{memo}</span> },
  ]
  const add = mayWrite && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHead title={title} help={help}>
        {add}
      </PageHead>
      <ResourceTable
        label={title}
        list={list}
        call={call}
        readPage={(at, size) => send(calls.list, { siteId, query: { page: at, pageSize: size } })}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        state={state}
        go={go}
        onOpen={({ id }) => go({ edit: id })}
        bulk={
          mayWrite
            ? (chosen, clear, run) => (
                <BulkByIds
                  label={t('remove.label')}
                  title={t('remove.title', { n: chosen.length })}
                  consequence={t('remove.text')}
                  rows={chosen}
                  rowName={({ name }) => name}
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
            {emptyText}
          </Empty>
        }
      />
      {edit === 'new' &&
        (newModule?.({ onClose: close, onMade: (id) => go({ edit: id }) }) ?? (
          <ModuleForm siteId={siteId} family={family} onClose={close} onMade={(id) => go({ edit: id })} />
        ))}
      {opened && (
        <ModuleDrawer
          key={opened.id}
          siteId={siteId}
          family={family}
          module={opened}
          namesItself={newModule !== undefined}
          onClose={close}
        >
          {children(opened)}
        </ModuleDrawer>
      )}
    </>
  )
}

const schema = z.object({ name: Name, memo: Memo })
const Field = fieldsOf(schema)

type FormProps = Pick<Props, 'siteId' | 'family'> & NewModule

function ModuleForm({ siteId, family, onClose, onMade }: FormProps) {
  const t = usePhrases('modules')
  const create = useChange(family.calls.create, family.calls.list)
  const form = useResourceForm(schema, {
    values: { name: '', memo: '' },
    save: (body) => create.mutateAsync({ siteId, body: { modules: [body] } }),
    done: t('made'),
    onSaved: ({ ids }) => onMade(ids[0]),
    fieldOf: (field) => field.replace('modules.0.', ''),
  })
  return (
    <FormDrawer form={form} title={t('add')} onClose={onClose} saveLabel={t('add')}>
      <Field.Text name="name" label={t('name')} autoFocus />
      <Field.Memo name="memo" label={t('memo')} />
    </FormDrawer>
  )
}
