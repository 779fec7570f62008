/** Roles, and the reverse view: who can do what. */
import { type Role, roles } from '@breakwater/contract/roles/roles.ts'
import { z } from 'zod'
import { BulkByIds } from '../../kit/BulkConfirm.tsx'
import { Button } from '../../kit/Button.tsx'
import type { RunBatches } from '../../kit/batches.ts'
import { Empty } from '../../kit/Empty.tsx'
import { later } from '../../kit/later.tsx'
import { laterFloat } from '../../kit/later-float.tsx'
import { PageHead } from '../../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../../kit/ResourceTable.tsx'
import { RowName } from '../../kit/RowName.tsx'
import { Segments } from '../../kit/Toggle.tsx'
import { send } from '../../platform/browser.ts'
import { useCall, useChange } from '../../platform/calls.ts'
import { useFormat } from '../../platform/format.ts'
import { useListState } from '../../platform/list-state.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { ListSearch } from '../../platform/search-state.ts'
import { useMay } from '../../platform/session.ts'

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
          readPage={(at, size) => send(roles.list, { query: { page: at, pageSize: size } })}
          bulk={
            may('roles.write') ? (rows, clear, run) => <RolesRemoval rows={rows} clear={clear} run={run} /> : undefined
          }
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

type RemovalProps = { rows: readonly Role[]; clear: () => void; run: RunBatches<Role> }

/** Unassigned roles are removed; those in use stay, and are listed. */
function RolesRemoval({ rows, clear, run }: RemovalProps) {
  const t = usePhrases('people')
  const removing = useChange(roles.removeMany, roles.list, roles.meta)
  const unused = rows.filter(({ accountCount }) => accountCount === 0)
  const used = rows.filter(({ accountCount }) => accountCount > 0)
  return (
    <BulkByIds
      label={t('remove')}
      title={t('role.removeMany', { n: unused.length })}
      consequence={
        <>
          {t('role.removeText')}
          {used.length > 0 && ` ${t('role.stay', { names: used.map(({ name }) => name).join(', ') })}`}
        </>
      }
      rows={unused}
      rowName={({ name }) => name}
      act={(ids) => removing.mutateAsync({ body: { ids } })}
      run={run}
      clear={clear}
      done={t('role.removed')}
    />
  )
}
