/** Attacks on sites, newest first; each opens as a report. */
import { attacks, type ListedAttack } from '@breakwater/contract/firewall/attacks.ts'
import { z } from 'zod'
import { Empty } from '../../kit/Empty.tsx'
import { Link } from '../../kit/Link.tsx'
import { PageHead } from '../../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../../kit/ResourceTable.tsx'
import { Status } from '../../kit/Status.tsx'
import { SiteSelect } from '../../pickers/SiteSelect.tsx'
import { useCall } from '../../platform/calls.ts'
import { useFormat } from '../../platform/format.ts'
import { useListState } from '../../platform/list-state.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { usePlaces } from '../../platform/places.ts'
import { ListSearch } from '../../platform/search-state.ts'
import { AttackReport } from './AttackReport.tsx'

const Search = ListSearch.extend({
  site: z.number().int().positive().optional().catch(undefined),
  attack: z.number().int().positive().optional().catch(undefined),
})
type State = z.output<typeof Search>

/** Attacks begin and end without action on this page. */
const everyMs = 10_000

export function AttacksScreen() {
  const [state, go] = useListState('attacks', Search)
  return state.attack === undefined ? <List state={state} go={go} /> : <AttackReport attack={state.attack} />
}

type Props = { state: State; go: (patch: Partial<State>) => void }

function List({ state, go }: Props) {
  const t = usePhrases('firewall')
  const { page, pageSize, site } = state
  const narrowed = site === undefined ? {} : { siteID: site }
  const call = useCall(attacks.list, { query: { page, pageSize, ...narrowed } }, { everyMs })
  const columns = useColumns()
  return (
    <>
      <PageHead title={t('attacks.title')} help={t('attacks.help')} />
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <SiteSelect value={site} onChange={(next) => go({ site: next, page: 1 })} />
      </div>
      <ResourceTable
        label={t('attacks.title')}
        list="attacks"
        call={call}
        columns={columns}
        rowKey={({ id }) => `${id}`}
        rowLabel={({ siteName }) => siteName}
        state={state}
        go={(patch) => go(patch as Partial<State>)}
        clearFilters={site === undefined ? undefined : () => go({ site: undefined, page: 1 })}
        empty={<Empty title={t('attacks.empty')}>{t('attacks.emptyText')}</Empty>}
      />
    </>
  )
}

function useColumns(): Column<ListedAttack>[] {
  const t = usePhrases('firewall')
  const format = useFormat()
  const places = usePlaces()
  return [
    {
      key: 'beganAt',
      title: t('attacks.began'),
      render: ({ id, beganAt }) => (
        <Link to={places.attacks} search={{ attack: id }}>
          <span className="num">{format.moment(beganAt)}</span>
        </Link>
      ),
    },
    {
      key: 'lasted',
      title: t('attacks.lasted'),
      render: ({ beganAt, endedAt }) =>
        endedAt === null ? (
          <Status tone="bad">{t('whole.lasts')}</Status>
        ) : (
          <span className="num">{format.duration((Date.parse(endedAt) - Date.parse(beganAt)) / 1000)}</span>
        ),
    },
    {
      key: 'siteName',
      title: t('bans.site'),
      render: ({ siteID, siteName }) => <Link to={places.site(siteID, siteName)}>{siteName}</Link>,
    },
    {
      key: 'reason',
      title: t('attacks.reason'),
      render: ({ reason, rate, limit, nodes }) =>
        t(`whole.because.${reason}`, {
          ...{ rate: format.number(rate), limit: format.number(limit), nodes: nodes.join(', ') },
        }),
      grows: true,
    },
  ]
}
