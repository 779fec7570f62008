/** The accounts below the signed-in one, by kind if a console manages several. One component for all three consoles. */
import { accounts } from '@breakwater/contract/account/accounts.ts'
import { type Tier, tiers } from '@breakwater/contract/endpoint.ts'
import { z } from 'zod'
import { afterCalls } from '../kit/after-calls.ts'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { SearchInput } from '../kit/Input.tsx'
import { later } from '../kit/later.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { ResourceTable } from '../kit/ResourceTable.tsx'
import { Select } from '../kit/Select.tsx'
import { Segments } from '../kit/Toggle.tsx'
import { send } from '../platform/browser.ts'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay, useSelf } from '../platform/session.ts'
import { userColumns } from './user-columns.tsx'

const ListViews = later(afterCalls(() => import('../pickers/ListViews.tsx').then((file) => file.ListViews)))
const InviteForm = laterFloat('drawer', () => import('./InviteForm.tsx').then((file) => file.InviteForm))
const AccountsBulk = later(() => import('./AccountsBulk.tsx').then((file) => file.AccountsBulk))
const AccountDrawer = laterFloat('drawer', () => import('./AccountDrawer.tsx').then((file) => file.AccountDrawer))

/** The kinds of account that a console manages, the most frequent first. */
const kindsOf: Record<Tier, readonly Tier[]> = {
  user: ['user'],
  client: ['user', 'client'],
  admin: ['client', 'user', 'admin'],
}
const Search = ListSearch.extend({
  tab: z.enum(tiers).optional().catch(undefined),
  name: z.string().max(256).catch(''),
  status: z.literal([0, 1, 2, 3]).optional().catch(undefined),
})
const sortable = ['id', 'name', 'account', 'email', 'status', 'createdAt'] as const

export function UsersScreen() {
  const t = usePhrases('people')
  const format = useFormat()
  const { tier } = usePlaces()
  const self = useSelf()
  const may = useMay()
  // The accounts of a customer are called members, as in the navigation.
  const title = t(tier === 'user' ? 'members' : 'users')
  const [state, go] = useListState('users', Search)
  const { page, pageSize, orderBy, name, status, edit } = state
  const kinds = kindsOf[tier]
  const kind = kinds.find((one) => one === state.tab) ?? kinds[0]!
  const sortBy = sortable.find((key) => key === state.sortBy)
  const question = {
    auth: kind,
    orderBy,
    name,
    ...(sortBy ? { sortBy } : {}),
    ...(status === undefined ? {} : { status }),
  }
  const call = useCall(accounts.list, { query: { page, pageSize, ...question } })
  const opened = call.data?.data.find(({ id }) => id === edit)
  const close = () => go({ edit: undefined })
  const isNarrowed = name !== '' || status !== undefined
  const invite = may('accounts.write') && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('invite')}
    </Button>
  )
  const shows = { tier: kind, tenant: kind !== tier || tier === 'admin' }
  return (
    <>
      <PageHead title={title} help={t('users.help')}>
        {kinds.length > 1 && (
          <Segments
            label={t('tab.label')}
            value={kind}
            onChange={(tab) => go({ tab, page: 1, edit: undefined })}
            options={kinds.map((value) => ({ value, label: t(`tab.${value}`) }))}
          />
        )}
        {invite}
      </PageHead>
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <SearchInput
          label={t('search')}
          className="w-72"
          value={name}
          onChange={(text) => go({ name: text, page: 1 }, { replace: true })}
        />
        <Select
          label={t('status')}
          value={status ?? -1}
          onChange={(next) => go({ status: ([0, 1, 2, 3] as const).find((one) => one === next), page: 1 })}
          options={[
            { value: -1, label: t('status.all') },
            ...([1, 0, 2, 3] as const).map((value) => ({ value: value as number, label: t(`status.${value}`) })),
          ]}
        />
        <ListViews list="users" />
      </div>
      <ResourceTable
        label={title}
        list="users"
        call={call}
        columns={userColumns({ t, format, open: (id) => go({ edit: id }), shows })}
        rowKey={({ id }) => id}
        rowLabel={(row) => row.name || row.account}
        state={state}
        go={(patch) => go(patch as Partial<typeof state>)}
        isCapped={call.data?.isMore === true}
        onOpen={({ id }) => go({ edit: id })}
        readPage={(at, size) => send(accounts.list, { query: { page: at, pageSize: size, ...question } })}
        bulk={
          may('accounts.write')
            ? (chosen, clear, run) => <AccountsBulk chosen={chosen} clear={clear} run={run} />
            : undefined
        }
        clearFilters={isNarrowed ? () => go({ name: '', status: undefined, page: 1 }) : undefined}
        empty={
          <Empty title={t('empty')} action={invite}>
            {t('empty.text')}
          </Empty>
        }
      />
      {edit === 'new' && <InviteForm kind={kind} isOwn={kind === self.auth} onClose={close} />}
      {opened && <AccountDrawer key={opened.id} account={opened} onClose={close} />}
    </>
  )
}
