/** The authentication groups of a site, and the credentials that the open one accepts. */
import {
  AuthGroup,
  type AuthGroupRow,
  authGroups,
  authTypes,
  keyPlaces,
} from '@breakwater/contract/authentication/auth-groups.ts'
import { useWatch } from 'react-hook-form'
import { BulkByIds } from '../kit/BulkConfirm.tsx'
import { Button } from '../kit/Button.tsx'
import { Drawer } from '../kit/Dialog.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Form } from '../kit/Form.tsx'
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
import { GroupEntries } from './GroupEntries.tsx'
import { GroupJwks } from './GroupJwks.tsx'
import { ImportPasswords } from './ImportPasswords.tsx'

const Field = fieldsOf(AuthGroup)

export function AuthGroupsScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('authentication')
  const mayWrite = useMay()('firewall.write')
  const [state, go] = useListState('auth-groups', ListSearch)
  const { page, pageSize, edit } = state
  const call = useCall(authGroups.list, { siteId, query: { page, pageSize } })
  const removing = useChange(authGroups.remove, authGroups.list, authGroups.meta)
  const opened = call.data?.data.find(({ id }) => id === edit)
  const close = () => go({ edit: undefined })
  const columns: Column<AuthGroupRow>[] = [
    {
      key: 'name',
      title: t('group.name'),
      render: ({ id, name }) => <RowName name={name} onOpen={() => go({ edit: id })} />,
    },
    { key: 'type', title: t('group.type'), render: ({ type }) => t(`type.${type}`) },
    { key: 'count', title: t('group.count'), end: true, render: ({ count }) => count },
    { key: 'memo', title: t('group.memo'), render: ({ memo }) => memo && <span className="text-ink-2">{memo}</span> },
  ]
  const add = mayWrite && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('group.add')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('groups.title')} help={t('groups.help')}>
        {add}
      </PageHead>
      <ResourceTable
        label={t('groups.title')}
        list="auth-groups"
        call={call}
        readPage={(at, size) => send(authGroups.list, { siteId, query: { page: at, pageSize: size } })}
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
                  label={t('group.remove')}
                  title={t('group.removeTitle', { n: chosen.length })}
                  consequence={t('group.removeText')}
                  rows={chosen}
                  rowName={({ name }) => name}
                  act={(ids) => removing.mutateAsync({ siteId, body: { ids } })}
                  run={run}
                  clear={clear}
                  done={t('group.removed')}
                />
              )
            : undefined
        }
        empty={
          <Empty title={t('groups.empty')} action={add}>
            {t('groups.emptyText')}
          </Empty>
        }
      />
      {edit === 'new' && <NewGroup siteId={siteId} onClose={close} onMade={(id) => go({ edit: id })} />}
      {opened && (
        <Drawer key={opened.id} title={opened.name} onClose={close}>
          <GroupEntries siteId={siteId} group={opened} />
          {opened.type === 'basic' && mayWrite && <ImportPasswords siteId={siteId} group={opened} />}
          {opened.type === 'jwt' && <GroupJwks siteId={siteId} group={opened} />}
          <h2 className="mt-6 mb-2 font-semibold">{t('group.settings')}</h2>
          <GroupForm siteId={siteId} group={opened} />
        </Drawer>
      )}
    </>
  )
}

function NewGroup(props: { siteId: number; onClose: () => void; onMade: (id: number) => void }) {
  const t = usePhrases('authentication')
  const create = useChange(authGroups.create, authGroups.list, authGroups.meta)
  const form = useResourceForm(AuthGroup, {
    values: { name: '', type: 'basic', memo: '', keyIn: 'header', keyName: 'X-Api-Key' } satisfies AuthGroup,
    save: (body) => create.mutateAsync({ siteId: props.siteId, body }),
    done: t('group.made'),
    onSaved: ({ id }) => props.onMade(id),
  })
  const types = authTypes.map((value) => ({ value, label: t(`type.${value}`) }))
  return (
    <FormDrawer form={form} title={t('group.add')} onClose={props.onClose} saveLabel={t('group.add')}>
      <Field.Text name="name" label={t('group.name')} help={t('group.nameHelp')} autoFocus />
      <Field.Select name="type" label={t('group.type')} help={t('group.typeHelp')} options={types} />
      <KeyPlace />
      <Field.Memo name={'memo' as never} label={t('group.memo')} />
    </FormDrawer>
  )
}

function GroupForm({ siteId, group }: { siteId: number; group: AuthGroupRow }) {
  const t = usePhrases('authentication')
  const mayWrite = useMay()('firewall.write')
  const update = useChange(authGroups.update, authGroups.list, authGroups.meta)
  const { id, count: _, ...known } = group
  const form = useResourceForm(AuthGroup, {
    values: known,
    save: ({ type: _type, ...body }) => update.mutateAsync({ siteId, body: { ...body, id } }),
    done: t('group.saved'),
    stays: (saved) => saved,
  })
  return (
    <Form form={form}>
      <Field.Text name="name" label={t('group.name')} help={t('group.nameHelp')} />
      <KeyPlace />
      <Field.Memo name={'memo' as never} label={t('group.memo')} />
      {mayWrite && (
        <Button type="submit" busy={form.busy}>
          {t('group.save')}
        </Button>
      )}
    </Form>
  )
}

/** Where the request carries the key; groups of other types do not need it. */
function KeyPlace() {
  const t = usePhrases('authentication')
  if (useWatch({ name: 'type' }) !== 'key') return null
  return (
    <div className="grid gap-x-4 sm:grid-cols-2">
      <Field.Select
        name={'keyIn' as never}
        label={t('group.keyIn')}
        options={keyPlaces.map((value) => ({ value, label: t(`keyIn.${value}`) }))}
      />
      <Field.Text name={'keyName' as never} label={t('group.keyName')} help={t('group.keyNameHelp')} mono />
    </div>
  )
}
