/** The accounts whose parent is this one. */
import { type Account, accounts } from '@breakwater/contract/account/accounts.ts'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { Section } from './Section.tsx'
import { AccountStatus } from './user-columns.tsx'

const shownMax = 50

export function SubAccounts({ account }: { account: Account }) {
  const t = usePhrases('people')
  const { data } = useCall(accounts.subs, { userId: account.id, query: { pageSize: shownMax } })
  return (
    <Section title={t('subs')}>
      {data?.total === 0 && <p className="text-ink-3">{t('subs.none')}</p>}
      <ul className="max-h-56 divide-y divide-line overflow-y-auto">
        {data?.data.map((sub) => (
          <li key={sub.id} className="flex min-h-9 items-center justify-between gap-3">
            <span className="min-w-0 truncate">
              {sub.name} <span className="text-ink-3">{sub.email || sub.account}</span>
            </span>
            <AccountStatus account={sub} t={t} />
          </li>
        ))}
        {data && data.total > shownMax && (
          <li className="py-2 text-ink-3">{t('grants.more', { n: data.total - shownMax })}</li>
        )}
      </ul>
    </Section>
  )
}
