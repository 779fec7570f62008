/** The domains of all customers, for the operator. */
import { domainDirectory, type ListedDomain } from '@breakwater/contract/domains/directory.ts'
import { ownershipStates } from '@breakwater/contract/domains/domains.ts'
import { z } from 'zod'
import { cn } from '../kit/cn.ts'
import { Empty } from '../kit/Empty.tsx'
import { SearchInput } from '../kit/Input.tsx'
import { Link } from '../kit/Link.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { Select } from '../kit/Select.tsx'
import { Status, Tags } from '../kit/Status.tsx'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { ListSearch } from '../platform/search-state.ts'
import { OwnershipSelect, StateSelect } from './DomainFilters.tsx'
import { dnsTones } from './dns-tones.ts'
import { Ownership } from './Ownership.tsx'

const Search = ListSearch.extend({
  domainName: z.string().catch(''),
  tag: z.string().catch(''),
  status: z.literal([0, 1]).optional().catch(undefined),
  ownership: z.enum(ownershipStates).optional().catch(undefined),
  sortBy: z.enum(['domainName', 'siteName', 'createdAt']).optional().catch(undefined),
})

/** Keeps a long name from crowding the other columns; on a phone it has the whole width. */
const shortened = 'block max-w-[min(320px,22vw)] truncate max-sm:max-w-full'

export function AllDomainsScreen() {
  const t = usePhrases('domains')
  const format = useFormat()
  const places = usePlaces()
  const [state, go] = useListState('all-domains', Search)
  const { page, pageSize, domainName, tag, status, ownership, sortBy, orderBy } = state
  const narrowed = {
    ...(domainName ? { domainName } : {}),
    ...(tag ? { tags: [tag] } : {}),
    ...(status === undefined ? {} : { status }),
    ...(ownership ? { ownership } : {}),
  }
  const isNarrowed = Object.keys(narrowed).length > 0
  const call = useCall(domainDirectory.list, {
    query: { page, pageSize, orderBy, ...narrowed, ...(sortBy ? { sortBy } : {}) },
  })
  const tags = useCall(domainDirectory.allTags, {}).data?.data ?? []
  const columns: Column<ListedDomain>[] = [
    {
      key: 'domainName',
      title: t('name'),
      sort: true,
      render: ({ domainName: name, siteID, siteName }) => (
        <Link
          to={places.site(siteID, siteName)}
          search={{ tab: 'domains', keywords: name }}
          className={cn('mono', shortened)}
        >
          {name}
        </Link>
      ),
    },
    {
      key: 'siteName',
      title: t('all.site'),
      sort: true,
      render: ({ siteID, siteName }) => (
        <Link to={places.site(siteID, siteName)} className={shortened}>
          {siteName}
        </Link>
      ),
    },
    { key: 'user', title: t('all.customer'), render: ({ user }) => <span className={shortened}>{user.name}</span> },
    {
      key: 'state',
      title: t('state'),
      render: ({ status }) => (
        <Status tone={status === 1 ? 'ok' : 'mute'}>{t(status === 1 ? 'state.on' : 'state.off')}</Status>
      ),
    },
    {
      key: 'ownership',
      title: t('ownership'),
      render: ({ ownership }) => <Ownership state={ownership} />,
    },
    {
      key: 'dns',
      title: t('dns'),
      render: ({ cnameStatuses: [dns = 0] }) => (
        <Status tone={dnsTones[dns] ?? 'mute'}>{t(`dns.${dns as 0 | 1 | 2 | 3}`)}</Status>
      ),
    },
    { key: 'tags', title: t('tags'), render: ({ tags: own }) => <Tags values={own} few /> },
    {
      key: 'createdAt',
      title: t('all.created'),
      sort: true,
      render: ({ createdAt }) => <span className="text-ink-3">{format.ago(createdAt)}</span>,
    },
  ]
  return (
    <>
      <PageHead title={t('all.title')} />
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <SearchInput
          label={t('search')}
          value={domainName}
          onChange={(text) => go({ domainName: text, page: 1 }, { replace: true })}
        />
        <StateSelect value={status} onChange={(next) => go({ status: next, page: 1 })} />
        <OwnershipSelect value={ownership} onChange={(next) => go({ ownership: next, page: 1 })} />
        {tags.length > 0 && (
          <Select
            label={t('filter.tag')}
            value={tag}
            onChange={(next) => go({ tag: next, page: 1 })}
            options={[
              { value: '', label: t('filter.anyTag') },
              ...tags.map((one) => ({ value: one.tag, label: one.tag })),
            ]}
          />
        )}
      </div>
      <ResourceTable
        label={t('all.title')}
        list="all-domains"
        call={call}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={(row) => row.domainName}
        state={state}
        go={(patch) => go(patch as Partial<typeof state>)}
        clearFilters={
          isNarrowed
            ? () => go({ domainName: '', tag: '', status: undefined, ownership: undefined, page: 1 })
            : undefined
        }
        empty={<Empty title={t('all.empty')}>{t('all.emptyText')}</Empty>}
      />
    </>
  )
}
