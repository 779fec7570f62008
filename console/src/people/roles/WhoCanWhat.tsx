/** Accounts by permissions: a tick where an account has a permission, through a role or directly. */
import { type Account, accounts } from '@breakwater/contract/account/accounts.ts'
import { permissionsOfTier } from '@breakwater/contract/permissions.ts'
import { roles } from '@breakwater/contract/roles/roles.ts'
import { Check } from 'lucide-react'
import { Failed } from '../../kit/faults.tsx'
import { Pager } from '../../kit/Pager.tsx'
import { ScrollRegion } from '../../kit/ScrollRegion.tsx'
import { useCall } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { usePlaces } from '../../platform/places.ts'
import { ListSearch, useSearchState } from '../../platform/search-state.ts'
import { grouped, usePermissionWords } from './permission-words.ts'

/** The most roles of a tenant, so that one page holds them all. */
const rolesMax = 200

export function WhoCanWhat() {
  const t = usePhrases('people')
  const words = usePermissionWords()
  const { tier } = usePlaces()
  const [state, go] = useSearchState(ListSearch)
  const { page, pageSize } = state
  const people = useCall(accounts.list, { query: { auth: tier, page, pageSize, sortBy: 'name', orderBy: 'asc' } })
  const all = useCall(roles.list, { query: { pageSize: rolesMax } })
  const keysOf = new Map(all.data?.data.map((role) => [role.id, role.permissions]))
  const holds = ({ isRoot, permissions, roles: own }: Account): ReadonlySet<string> =>
    new Set(isRoot ? permissionsOfTier(tier) : [...permissions, ...own.flatMap(({ id }) => keysOf.get(id) ?? [])])
  const groups = grouped(permissionsOfTier(tier))
  if (people.isError && !people.data) return <Failed fault={people.error} retry={() => people.refetch()} />
  if (!people.data || !all.data) return <div className="skeleton appear-late h-40" />
  return (
    <div className="relative overflow-hidden rounded-panel border border-line bg-surface">
      <ScrollRegion label={t('role.matrix')}>
        <table className="text-left">
          <thead>
            <tr className="border-line border-b">
              <th
                scope="col"
                rowSpan={2}
                className="sticky left-0 z-1 min-w-44 bg-surface px-4 font-medium text-ink-3 text-xs"
              >
                {t('name')}
              </th>
              {groups.map(({ group, keys }) => (
                <th
                  key={group}
                  scope="colgroup"
                  colSpan={keys.length}
                  className="border-line border-l px-2 py-1.5 font-medium text-xs whitespace-nowrap"
                >
                  {words.group(group)}
                </th>
              ))}
            </tr>
            <tr className="border-line border-b">
              {groups.map(({ keys }) =>
                keys.map((key, index) => (
                  <KeyHead key={key} name={words.verb(key)} first={index === 0} title={words.sentence(key)} />
                )),
              )}
            </tr>
          </thead>
          <tbody>
            {people.data.data.map((person) => {
              const held = holds(person)
              return (
                <tr key={person.id} className="h-9 border-line border-b last:border-b-0 hover:bg-sunken">
                  <th scope="row" className="sticky left-0 z-1 max-w-56 truncate bg-surface px-4 font-medium">
                    {person.name || person.account}
                  </th>
                  {groups.map(({ keys }) =>
                    keys.map((key, index) => (
                      <td
                        key={key}
                        title={words.sentence(key)}
                        className={`px-2 text-center ${index === 0 ? 'border-line border-l' : ''}`}
                      >
                        {/* Empty if not granted: a small dot was mistaken for a granted permission. */}
                        {held.has(key) && (
                          <>
                            <Check size={14} aria-hidden className="mx-auto" />
                            <span className="sr-only">{words.sentence(key)}</span>
                          </>
                        )}
                      </td>
                    )),
                  )}
                </tr>
              )
            })}
          </tbody>
        </table>
      </ScrollRegion>
      {people.data.total === 0 && <p className="px-4 py-10 text-center text-ink-3">{t('empty')}</p>}
      {people.data.total > 0 && <Pager state={state} go={go} total={people.data.total} isCapped={people.data.isMore} />}
    </div>
  )
}

function KeyHead({ name, first, title }: { name: string; first: boolean; title: string }) {
  return (
    <th
      scope="col"
      title={title}
      className={`px-2 py-1 text-center font-normal text-[11px] text-ink-3 whitespace-nowrap ${first ? 'border-line border-l' : ''}`}
    >
      {name}
    </th>
  )
}
