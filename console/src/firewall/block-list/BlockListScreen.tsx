/** The addresses that sites have banned: why, for how long, by which request. Bans can be lifted. */
import { parseRange } from '@breakwater/contract/addresses.ts'
import { type BlockedIp, blockIPs } from '@breakwater/contract/bans/block-ips.ts'
import { guardIds } from '@breakwater/contract/edge/guards.ts'
import { z } from 'zod'
import { BulkConfirm } from '../../kit/BulkConfirm.tsx'
import { Empty } from '../../kit/Empty.tsx'
import { SearchInput } from '../../kit/Input.tsx'
import { Link } from '../../kit/Link.tsx'
import { PageHead } from '../../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../../kit/ResourceTable.tsx'
import { Select } from '../../kit/Select.tsx'
import { logWord } from '../../pickers/log-words.ts'
import { SiteSelect } from '../../pickers/SiteSelect.tsx'
import { ZoneSelect } from '../../pickers/ZoneSelect.tsx'
import { send } from '../../platform/browser.ts'
import { useCall, useChange } from '../../platform/calls.ts'
import { useFormat } from '../../platform/format.ts'
import { useListState } from '../../platform/list-state.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { usePlaces } from '../../platform/places.ts'
import { ListSearch } from '../../platform/search-state.ts'
import { useMay } from '../../platform/session.ts'

/** Guards whose refusals lead to bans: the others refuse nobody, or run after all of them. */
const causes = Object.keys(guardIds).filter((guard) => !['bans', 'allowRules', 'siteStatus', 'cors'].includes(guard))

const Search = ListSearch.extend({
  site: z.number().int().positive().optional().catch(undefined),
  zone: z.number().int().positive().optional().catch(undefined),
  ip: z.string().catch(''),
  cause: z.enum(causes).optional().catch(undefined),
  sortBy: z.enum(['ip', 'siteName', 'createdAt', 'expired']).optional().catch(undefined),
})
type State = z.output<typeof Search>

/** Bans begin and end without action on this page. */
const everyMs = 10_000

const isAddress = (text: string): boolean => parseRange(text.trim()) !== undefined

/** The filters of the list. An incomplete address does not filter yet. */
const filterOf = ({ site, zone, ip, cause }: State) => ({
  ...(site === undefined ? {} : { siteID: site }),
  ...(zone === undefined ? {} : { zoneID: zone }),
  ...(isAddress(ip) ? { ips: [ip.trim()] } : {}),
  ...(cause === undefined ? {} : { causes: [cause as BlockedIp['causes'][number] & keyof typeof guardIds] }),
})

const noFilters = { site: undefined, zone: undefined, ip: '', cause: undefined, page: 1 }

export function BlockListScreen() {
  const t = usePhrases('firewall')
  const mayLift = useMay()('firewall.write')
  const [state, go] = useListState('block-list', Search)
  const { page, pageSize, sortBy, orderBy } = state
  const filter = filterOf(state)
  const question = { orderBy, ...filter, ...(sortBy ? { sortBy } : {}) }
  const call = useCall(blockIPs.list, { query: { page, pageSize, ...question } }, { everyMs })
  const columns = useColumns()
  const lift = useLift()
  return (
    <>
      <PageHead title={t('bans.title')} help={t('bans.help')} />
      <Filters state={state} go={go} />
      <ResourceTable
        label={t('bans.title')}
        list="block-list"
        call={call}
        columns={columns}
        rowKey={({ siteID, ip }) => `${siteID} ${ip}`}
        rowLabel={({ ip }) => ip}
        state={state}
        go={(patch) => go(patch as Partial<State>)}
        clearFilters={Object.keys(filter).length > 0 ? () => go(noFilters) : undefined}
        readPage={(at, size) => send(blockIPs.list, { query: { page: at, pageSize: size, ...question } })}
        bulk={
          mayLift
            ? (rows, clear, run) => (
                <BulkConfirm
                  look="line"
                  label={t('bans.lift')}
                  title={t('bans.lift.title', { n: rows.length })}
                  consequence={t('bans.lift.text')}
                  rows={rows}
                  rowKey={({ siteID, ip }) => `${siteID} ${ip}`}
                  rowName={({ ip, siteName }) => (
                    <>
                      <span className="mono">{ip}</span> · {siteName}
                    </>
                  )}
                  act={lift}
                  run={run}
                  clear={clear}
                  done={t('bans.lifted')}
                />
              )
            : undefined
        }
        empty={<Empty title={t('bans.empty')}>{t('bans.emptyText')}</Empty>}
      />
    </>
  )
}

/** Lifts bans site by site: the same address may also be banned from another site, which was not selected. */
function useLift() {
  const remove = useChange(blockIPs.remove, blockIPs.list)
  return async (rows: BlockedIp[]) => {
    for (const [siteID, ofSite] of Map.groupBy(rows, (row) => row.siteID))
      await remove.mutateAsync({ body: { siteID, ips: ofSite.map(({ ip }) => ip) } })
  }
}

function useColumns(): Column<BlockedIp>[] {
  const t = usePhrases('firewall')
  const tLogs = usePhrases('logs')
  const format = useFormat()
  const places = usePlaces()
  const mayExplain = useMay()('logs.explain')
  return [
    { key: 'ip', title: t('bans.ip'), sort: true, render: ({ ip }) => <span className="mono">{ip}</span> },
    {
      key: 'siteName',
      title: t('bans.site'),
      sort: true,
      render: ({ siteID, siteName }) => <Link to={places.site(siteID, siteName)}>{siteName}</Link>,
    },
    {
      key: 'causes',
      title: t('bans.cause'),
      render: ({ causes: guards, rule }) => (
        <>
          {guards.map((guard) => logWord('guard', guard, tLogs)).join(', ')}
          {rule > 0 && <span className="num text-ink-3"> #{rule}</span>}
        </>
      ),
    },
    {
      key: 'createdAt',
      title: t('bans.since'),
      sort: true,
      render: ({ createdAt }) => <span className="text-ink-3">{format.ago(createdAt)}</span>,
    },
    {
      key: 'expired',
      title: t('bans.left'),
      sort: true,
      render: ({ expired }) => (
        <span className="num" title={format.moment(expired)}>
          {format.duration(Math.max(0, (Date.parse(expired) - Date.now()) / 1000))}
        </span>
      ),
    },
    { key: 'node', title: t('bans.node'), render: ({ node }) => node },
    {
      key: 'request',
      title: t('bans.request'),
      render: ({ reference }) =>
        mayExplain && (
          <Link to={places.explain} search={{ reference }}>
            {t('bans.explain')}
          </Link>
        ),
    },
  ]
}

type FilterProps = { state: State; go: (patch: Partial<State>, options?: { replace?: boolean }) => void }

function Filters({ state, go }: FilterProps) {
  const t = usePhrases('firewall')
  const tLogs = usePhrases('logs')
  const { tier } = usePlaces()
  const { site, zone, ip, cause } = state
  return (
    <div className="mb-2.5 flex flex-wrap items-center gap-2">
      <SearchInput
        label={t('bans.search')}
        value={ip}
        onChange={(text) => go({ ip: text, page: 1 }, { replace: true })}
      />
      {ip !== '' && !isAddress(ip) && (
        <span role="status" className="text-ink-3">
          {t('bans.half')}
        </span>
      )}
      <SiteSelect value={site} onChange={(next) => go({ site: next, page: 1 })} />
      {tier === 'client' && <ZoneSelect value={zone} onChange={(next) => go({ zone: next, page: 1 })} />}
      <Select
        label={t('bans.cause')}
        value={cause ?? ''}
        onChange={(next) => go({ cause: next === '' ? undefined : next, page: 1 })}
        options={[
          { value: '', label: t('bans.anyCause') },
          ...causes.map((value) => ({ value, label: logWord('guard', value, tLogs) })),
        ]}
      />
    </div>
  )
}
