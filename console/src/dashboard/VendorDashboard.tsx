/** The vendor's first page: licences and accounts, and what expires soon. */
import { accounts } from '@breakwater/contract/account/accounts.ts'
import { licenses } from '@breakwater/contract/licenses/licenses.ts'
import { Failed } from '../kit/faults.tsx'
import { Link } from '../kit/Link.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { Panel } from '../kit/Panel.tsx'
import { StatRow } from '../kit/StatRow.tsx'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'

const soonMs = 30 * 86_400_000
const one = { page: 1, pageSize: 1 }
const issued = { page: 1, pageSize: 100, status: 'issued' } as const

export function VendorDashboard() {
  const t = usePhrases('licenses')
  const tStatistics = usePhrases('statistics')
  const format = useFormat()
  const places = usePlaces()
  const online = useCall(licenses.list, { query: issued })
  const offline = useCall(licenses.offlineList, { query: issued })
  const operators = useCall(accounts.list, { query: { ...one, auth: 'client' } })
  const customers = useCall(accounts.list, { query: { ...one, auth: 'user' } })
  const fault = online.error ?? offline.error
  const show = (value: number | undefined) => (value === undefined ? '–' : format.number(value))
  const soon = [...(online.data?.data ?? []), ...(offline.data?.data ?? [])]
    .filter(({ expiredAt }) => Date.parse(expiredAt) - Date.now() < soonMs)
    .sort((a, b) => a.expiredAt.localeCompare(b.expiredAt))
  return (
    <>
      <PageHead title={tStatistics('dashboard.title')} />
      <div className="grid gap-4">
        {fault && (
          <Panel>
            <Failed fault={fault} retry={() => Promise.all([online.refetch(), offline.refetch()])} />
          </Panel>
        )}
        <StatRow
          stats={[
            {
              key: 'online',
              label: t('dashboard.online'),
              value: <Link to={places.licenses}>{show(online.data?.total)}</Link>,
              hint: t('status.issued'),
            },
            {
              key: 'offline',
              label: t('dashboard.offline'),
              value: <Link to={places.offlineLicenses}>{show(offline.data?.total)}</Link>,
              hint: t('status.issued'),
            },
            {
              key: 'operators',
              label: t('dashboard.operators'),
              value: <Link to={places.accounts}>{show(operators.data?.total)}</Link>,
              hint: t('dashboard.accounts'),
            },
            {
              key: 'customers',
              label: t('dashboard.customers'),
              value: (
                <Link to={places.accounts} search={{ tab: 'user' }}>
                  {show(customers.data?.total)}
                </Link>
              ),
              hint: t('dashboard.accounts'),
            },
          ]}
        />
        <Panel title={t('dashboard.soon')}>
          {soon.length === 0 ? (
            <p className="text-ink-3">{t('dashboard.soonNone')}</p>
          ) : (
            <ul className="divide-y divide-line">
              {soon.map((license) => (
                <li key={license.id} className="flex flex-wrap justify-between gap-x-4 py-1.5">
                  <Link
                    to={'installation' in license ? places.offlineLicenses : places.licenses}
                    search={{ edit: license.id }}
                  >
                    {license.name}
                  </Link>
                  <span className="text-ink-3">
                    {license.userName} · <span className="num">{format.moment(license.expiredAt)}</span>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Panel>
      </div>
    </>
  )
}
