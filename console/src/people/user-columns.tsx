/** The columns of a list of accounts. */
import type { Account } from '@breakwater/contract/account/accounts.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { Column } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { Status, Tag, Tags, type Tone } from '../kit/Status.tsx'
import type { Format } from '../platform/format.ts'
import type { Say } from '../platform/phrases.ts'

const tones: readonly Tone[] = ['mute', 'ok', 'bad', 'warn']

/** The status in words: an invited account is displayed as invited, neither paused nor normal. */
export function AccountStatus({ account, t }: { account: Account; t: Say<'people'> }) {
  if (account.invited) return <Status tone="info">{t('invited')}</Status>
  const status = ([0, 1, 2, 3] as const).find((one) => one === account.status) ?? 1
  return <Status tone={tones[status]!}>{t(`status.${status}`)}</Status>
}

type Shown = { t: Say<'people'>; format: Format; open: (id: number) => void; shows: { tenant: boolean; tier: Tier } }

export function userColumns({ t, format, open, shows }: Shown): Column<Account>[] {
  const tenant: Column<Account> = { key: 'tenant', title: t('tenant'), render: (row) => row.tenant.name }
  return [
    {
      key: 'name',
      title: t('name'),
      sort: true,
      render: ({ id, name, account }) => (
        <RowName name={name || account} onOpen={() => open(id)}>
          {account}
        </RowName>
      ),
    },
    { key: 'email', title: t('email'), sort: true, render: ({ email }) => <span className="text-ink-2">{email}</span> },
    { key: 'status', title: t('status'), sort: true, render: (row) => <AccountStatus account={row} t={t} /> },
    {
      key: 'roles',
      title: shows.tier === 'admin' ? t('permissions') : t('roles'),
      render: ({ isRoot, roles, permissions }) =>
        isRoot ? (
          <Tag>{t('root')}</Tag>
        ) : (
          <Tags values={shows.tier === 'admin' ? permissions.slice(0, 3) : roles.map(({ name }) => name)} />
        ),
    },
    ...(shows.tenant ? [tenant] : []),
    ...(shows.tier === 'admin'
      ? []
      : [
          {
            key: 'sites',
            title: t('sites'),
            render: ({ isRoot, allSites }: Account) => (
              <span className="text-ink-2">{t(isRoot || allSites ? 'sites.all' : 'sites.given')}</span>
            ),
          },
        ]),
    {
      key: 'twoFactor',
      title: t('twoFactor'),
      render: ({ login2FAType }) => (
        <span className="text-ink-2">{t(login2FAType > 0 ? 'twoFactor.set' : 'twoFactor.none')}</span>
      ),
    },
    {
      key: 'createdAt',
      title: t('created'),
      sort: true,
      render: ({ createdAt }) => <span className="text-ink-3">{format.ago(createdAt)}</span>,
    },
  ]
}
