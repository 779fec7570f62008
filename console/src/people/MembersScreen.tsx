/** Who has access to a site: added and removed here; permissions follow from their roles. */
import { accounts } from '@breakwater/contract/account/accounts.ts'
import { type SiteUser, siteUsers } from '@breakwater/contract/sites/site-users.ts'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Empty } from '../kit/Empty.tsx'
import { showFault } from '../kit/faults.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { Tag, Tags } from '../kit/Status.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'
import { Finder } from './Finder.tsx'

export function MembersScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('people')
  const may = useMay()
  const [state, go] = useListState('members', ListSearch)
  const { page, pageSize } = state
  const call = useCall(siteUsers.list, { siteId, query: { page, pageSize } })
  const giving = useChange(siteUsers.set, siteUsers.list, siteUsers.ofAccount)
  const taking = useChange(siteUsers.remove, siteUsers.list, siteUsers.ofAccount)
  const of = (userID: number) => ({ body: { siteIDs: [siteId], userIDs: [userID] } })
  const mayWrite = may('sites.write') && may('accounts.write')
  const columns: Column<SiteUser>[] = [
    {
      key: 'name',
      title: t('name'),
      render: ({ name, account }) => (
        <span className="font-medium">
          {name || account} <span className="font-normal text-ink-3">{account}</span>
        </span>
      ),
    },
    { key: 'email', title: t('email'), render: ({ email }) => <span className="text-ink-2">{email}</span> },
    {
      key: 'roles',
      title: t('roles'),
      render: ({ isRoot, roles }) => (isRoot ? <Tag>{t('root')}</Tag> : <Tags values={roles} />),
    },
    {
      key: 'through',
      title: t('members.through'),
      render: ({ granted }) => t(granted ? 'members.given' : 'members.everything'),
    },
    {
      key: 'take',
      title: '',
      end: true,
      render: ({ id, name, account, granted }) =>
        granted && mayWrite ? (
          <ConfirmButton
            size="sm"
            label={t('members.take')}
            title={t('members.takeTitle', { name: name || account })}
            consequence={t('members.takeText')}
            confirmLabel={t('members.take')}
            onConfirm={async () => {
              await taking.mutateAsync(of(id))
              toasts.done(t('grants.taken', { name: name || account }))
            }}
          />
        ) : null,
    },
  ]
  const add = mayWrite && (
    <Finder
      isMain
      label={t('members.add')}
      search={t('members.find')}
      none={t('members.nobody')}
      useFound={useAccountsNamed}
      onTake={({ id, label }) =>
        giving.mutate(of(id), { onError: showFault, onSuccess: () => toasts.done(t('grants.given', { name: label })) })
      }
    />
  )
  return (
    <>
      <PageHead title={t('members')} help={t('members.help')}>
        {add}
      </PageHead>
      <ResourceTable
        label={t('members')}
        list="members"
        call={call}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ name, account }) => name || account}
        state={state}
        go={go}
        empty={
          <Empty title={t('members.empty')} action={add}>
            {t('members.emptyText')}
          </Empty>
        }
      />
    </>
  )
}

const foundMax = 25

/** The account's own sub-accounts by part of their name. A root account needs no grant. */
function useAccountsNamed(name: string) {
  const { tier } = usePlaces()
  const { data } = useCall(accounts.list, { query: { auth: tier, name, pageSize: foundMax } })
  return data?.data
    .filter(({ isRoot }) => !isRoot)
    .map(({ id, name: full, account, email }) => ({ id, label: full || account, hint: email }))
}
