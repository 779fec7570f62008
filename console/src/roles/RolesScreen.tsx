/** Roles, and the other way round: who can do what. */
import { type Role, roles } from '@breakwater/contract/roles/roles.ts'
import { z } from 'zod'
import { useCall } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { useListState } from '../app/list-state.ts'
import { usePhrases } from '../app/phrases.ts'
import { ListSearch } from '../app/search-state.ts'
import { useMay } from '../app/session.ts'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { later } from '../kit/later.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { Segments } from '../kit/Toggle.tsx'

const RoleForm = laterFloat('drawer', () => import('./RoleForm.tsx').then((file) => file.RoleForm))
const WhoCanWhat = later(() => import('./WhoCanWhat.tsx').then((file) => file.WhoCanWhat))
const Search = ListSearch.extend({ view: z.enum(['roles', 'matrix']).catch('roles') })

export function RolesScreen() {
  const t = usePhrases('people')
  const format = useFormat()
  const may = useMay()
  const [state, go] = useListState('roles', Search)
  const { page, pageSize, edit, view } = state
  const call = useCall(roles.list, { query: { page, pageSize } })
  const opened = call.data?.data.find(({ id }) => id === edit)
  const close = () => go({ edit: undefined })
  const add = may('roles.write') && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('role.new')}
    </Button>
  )
  const columns: Column<Role>[] = [
    {
      key: 'name',
      title: t('name'),
      render: ({ id, name, memo }) => (
        <RowName name={name} onOpen={() => go({ edit: id })}>
          {memo}
        </RowName>
      ),
    },
    { key: 'permissions', title: t('permissions'), render: (role) => t('role.keys', { n: role.permissions.length }) },
    {
      key: 'accounts',
      title: t('role.accounts'),
      end: true,
      render: ({ accountCount }) => format.number(accountCount),
    },
    {
      key: 'createdAt',
      title: t('created'),
      render: ({ createdAt }) => <span className="text-ink-3">{format.ago(createdAt)}</span>,
    },
  ]
  return (
    <>
      <PageHead title={t('role.list')} help={t(view === 'matrix' ? 'role.matrixHelp' : 'role.help')}>
        {may('accounts.read') && (
          <Segments
            label={t('view')}
            value={view}
            onChange={(next) => go({ view: next, page: 1 })}
            options={[
              { value: 'roles', label: t('role.list') },
              { value: 'matrix', label: t('role.matrix') },
            ]}
          />
        )}
        {add}
      </PageHead>
      {view === 'matrix' && may('accounts.read') ? (
        <WhoCanWhat />
      ) : (
        <ResourceTable
          label={t('role.list')}
          list="roles"
          call={call}
          columns={columns}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          state={state}
          go={(patch) => go(patch as Partial<typeof state>)}
          onOpen={({ id }) => go({ edit: id })}
          empty={
            <Empty title={t('role.empty')} action={add}>
              {t('role.emptyText')}
            </Empty>
          }
        />
      )}
      {may('roles.write') && (edit === 'new' || opened) && <RoleForm key={edit} role={opened} onClose={close} />}
    </>
  )
}
