/** The sites that a sub-account was granted: list, add and remove, each takes effect at once. */
import type { Account } from '@breakwater/contract/account/accounts.ts'
import { siteUsers } from '@breakwater/contract/sites/site-users.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { X } from 'lucide-react'
import { IconButton } from '../kit/Button.tsx'
import { Failed, showFault } from '../kit/faults.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'
import { Finder } from './Finder.tsx'
import { Section } from './Section.tsx'

const shownMax = 100

export function GrantedSites({ account }: { account: Account }) {
  const t = usePhrases('people')
  const mayWrite = useMay()('sites.write')
  const { data, error, refetch } = useCall(siteUsers.ofAccount, { userId: account.id, query: { pageSize: shownMax } })
  const giving = useChange(siteUsers.set, siteUsers.ofAccount, siteUsers.list)
  const taking = useChange(siteUsers.remove, siteUsers.ofAccount, siteUsers.list)
  const of = (siteID: number) => ({ body: { siteIDs: [siteID], userIDs: [account.id] } })
  return (
    <Section title={t('grants')}>
      {error && <Failed fault={error} retry={refetch} />}
      {/* As tall while loading as with one row of sites, so that nothing below moves away from under a press. */}
      <ul className="mb-2 flex min-h-7 flex-wrap gap-1.5">
        {!data && !error && <li className="skeleton h-7 w-40" />}
        {data?.total === 0 && <li className="flex h-7 items-center text-ink-3">{t('grants.none')}</li>}
        {data?.data.map(({ siteID, siteName }) => (
          <li
            key={siteID}
            className="inline-flex h-7 items-center rounded-control border border-line bg-surface pl-2.5"
          >
            <span className="max-w-60 truncate">{siteName}</span>
            {mayWrite && (
              <IconButton
                size="iconSm"
                label={t('grants.take', { name: siteName })}
                onClick={() =>
                  taking.mutate(of(siteID), {
                    onError: showFault,
                    onSuccess: () => toasts.done(t('grants.taken', { name: siteName })),
                  })
                }
              >
                <X size={13} aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
        {data && data.total > shownMax && (
          <li className="text-ink-3">{t('grants.more', { n: data.total - shownMax })}</li>
        )}
      </ul>
      {mayWrite && (
        <Finder
          label={t('grants.add')}
          search={t('grants.find')}
          useFound={useSitesNamed}
          onTake={({ id, label }) =>
            giving.mutate(of(id), {
              onError: showFault,
              onSuccess: () => toasts.done(t('grants.given', { name: label })),
            })
          }
        />
      )}
    </Section>
  )
}

const foundMax = 25

/** Sites by part of their name: the user's own, or those of all customers. */
function useSitesNamed(siteName: string) {
  const { tier } = usePlaces()
  const query = { siteName, pageSize: foundMax }
  const own = useCall(sites.listOwn, { query }, { enabled: tier === 'user' })
  const all = useCall(sites.listAll, { query }, { enabled: tier === 'client' })
  const ofCustomers = all.data?.data.map((site) => ({ id: site.siteID, label: site.siteName, hint: site.user.name }))
  return tier === 'client' ? ofCustomers : own.data?.data.map((site) => ({ id: site.siteID, label: site.siteName }))
}
