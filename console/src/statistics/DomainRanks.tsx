/** The domains ranked by what they served, page by page. */
import { type DomainRank, type rankColumns, statistics } from '@breakwater/contract/statistics/statistics.ts'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { showFault } from '../kit/faults.tsx'
import { Link } from '../kit/Link.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { useStatView } from '../pickers/statistics/view.ts'
import { useCall } from '../platform/calls.ts'
import { download } from '../platform/download.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { defaultPageSize, widePageSizes } from '../platform/search-state.ts'

type SortBy = (typeof rankColumns)[number]
type State = { page: number; pageSize: (typeof widePageSizes)[number]; sortBy: SortBy; orderBy: 'asc' | 'desc' }

/** The storage key of a person's page size. */
const sizeKey = 'domainRankPageSize'
const keptSize = () => widePageSizes.find((size) => String(size) === localStorage.getItem(sizeKey)) ?? defaultPageSize

export function DomainRanks() {
  const t = usePhrases('statistics')
  const format = useFormat()
  const places = usePlaces()
  const { scope, pick } = useStatView()
  const [state, setState] = useState<State>(() => ({
    page: 1,
    pageSize: keptSize(),
    sortBy: 'reqCount',
    orderBy: 'desc',
  }))
  const call = useCall(statistics.list, { body: { ...scope, ...state } })
  const number = (key: SortBy, show: (value: number) => string): Column<DomainRank> => ({
    key,
    title: t(`rank.${key}`),
    end: true,
    sort: true,
    render: (rank) => <span className="num">{show(rank[key])}</span>,
  })
  const columns: Column<DomainRank>[] = [
    {
      key: 'domainName',
      title: t('rank.domainName'),
      render: ({ domainName }) => <RowName name={domainName} mono onOpen={() => pick('host', domainName)} />,
    },
    {
      key: 'siteName',
      title: t('site'),
      render: ({ siteID, siteName }) => (siteName ? <Link to={places.site(siteID, siteName)}>{siteName}</Link> : '–'),
    },
    number('reqCount', format.number),
    number('traffic', format.bytes),
    number('cache', format.number),
    number('bandwidth', format.bitsPerSecond),
    number('upstreamCount', format.number),
  ]
  return (
    <div className="mt-3">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="font-semibold text-sm">{t('ranks')}</h2>
        <Button
          size="sm"
          onClick={() => void download(statistics.listExport, { body: { of: 'list', ...scope } }).catch(showFault)}
        >
          <Download size={13} aria-hidden />
          CSV
        </Button>
      </div>
      <ResourceTable
        label={t('ranks')}
        call={call}
        columns={columns}
        rowKey={({ domainName, siteID }) => `${siteID}/${domainName}`}
        rowLabel={({ domainName }) => domainName}
        state={state}
        go={(patch) => {
          if (patch.pageSize) localStorage.setItem(sizeKey, String(patch.pageSize))
          setState({ ...state, ...patch } as State)
        }}
        empty={<Empty title={t('ranks.empty')}>{t('ranks.emptyText')}</Empty>}
      />
    </div>
  )
}
