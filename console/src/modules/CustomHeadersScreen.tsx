/** Header modules that this site's domains can be bound to. */
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { Memo, Name } from '@breakwater/contract/fields.ts'
import { customHeaders } from '@breakwater/contract/modules/custom-headers.ts'
import { z } from 'zod'
import { send } from '../app/browser.ts'
import { useCall, useChange } from '../app/calls.ts'
import { useListState } from '../app/list-state.ts'
import { usePhrases } from '../app/phrases.ts'
import { ListSearch } from '../app/search-state.ts'
import { useMay } from '../app/session.ts'
import { BulkConfirm } from '../kit/BulkConfirm.tsx'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { HeadersDrawer } from './HeadersDrawer.tsx'

type Module = Reply<typeof customHeaders.list>['data'][number]

export function CustomHeadersScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('modules')
  const mayWrite = useMay()('modules.write')
  const [state, go] = useListState('headers', ListSearch)
  const { page, pageSize, edit } = state
  const call = useCall(customHeaders.list, { siteId, query: { page, pageSize } })
  const removing = useChange(customHeaders.remove, customHeaders.list)
  const opened = call.data?.data.find(({ id }) => id === edit)
  const close = () => go({ edit: undefined })
  const columns: Column<Module>[] = [
    {
      key: 'name',
      title: t('name'),
      render: ({ id, name }) => <RowName name={name} onOpen={() => go({ edit: id })} />,
    },
    { key: 'headers', title: t('headers'), end: true, render: ({ headerCount }) => headerCount },
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
      <PageHead title={t('title')} help={t('help')}>
        {add}
      </PageHead>
      <ResourceTable
        label={t('title')}
        list="headers"
        call={call}
        readPage={(at, size) => send(customHeaders.list, { siteId, query: { page: at, pageSize: size } })}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        state={state}
        go={go}
        onOpen={({ id }) => go({ edit: id })}
        bulk={
          mayWrite
            ? (chosen, clear, run) => (
                <BulkConfirm
                  label={t('remove.label')}
                  title={t('remove.title', { n: chosen.length })}
                  consequence={t('remove.text')}
                  rows={chosen}
                  rowKey={({ id }) => id}
                  rowName={({ name }) => name}
                  act={(batch) => removing.mutateAsync({ siteId, body: { ids: batch.map(({ id }) => id) } })}
                  run={run}
                  clear={clear}
                  done={t('removed')}
                />
              )
            : undefined
        }
        empty={
          <Empty title={t('empty')} action={add}>
            {t('emptyText')}
          </Empty>
        }
      />
      {edit === 'new' && <ModuleForm siteId={siteId} onClose={close} onMade={(id) => go({ edit: id })} />}
      {opened && <HeadersDrawer key={opened.id} siteId={siteId} module={opened} onClose={close} />}
    </>
  )
}

const schema = z.object({ name: Name, memo: Memo })
const Field = fieldsOf(schema)

type FormProps = { siteId: number; onClose: () => void; onMade: (id: number | undefined) => void }

function ModuleForm({ siteId, onClose, onMade }: FormProps) {
  const t = usePhrases('modules')
  const create = useChange(customHeaders.create, customHeaders.list)
  const form = useResourceForm(schema, {
    values: { name: '', memo: '' },
    save: (body) => create.mutateAsync({ siteId, body: { modules: [body] } }),
    done: t('added'),
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
