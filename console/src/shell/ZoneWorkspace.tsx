/** The settings of one zone. Each tab is a screen of its own area, loaded when it is opened. */
import { nodes } from '@breakwater/contract/nodes/nodes.ts'
import { Navigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { z } from 'zod'
import { buttonClass } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Failed } from '../kit/faults.tsx'
import { Link } from '../kit/Link.tsx'
import { Loading } from '../kit/Loading.tsx'
import { PageHead, PageObject } from '../kit/PageHead.tsx'
import { Panel } from '../kit/Panel.tsx'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useSearchState } from '../platform/search-state.ts'
import { useZoneHere } from '../platform/zone-here.ts'
import { zoneTab, zoneTabs } from './areas.ts'
import { RequirePermission } from './RequirePermission.tsx'
import { tabScreens } from './screens.ts'

const Search = z.object({ tab: z.string().catch('overview') })
/** An unknown tab falls back to the first one. */
const tabOf = (name: string) => zoneTab(name) ?? zoneTabs[0]!

/** The zone of another tenant looks the same as one that does not exist. */
function NotHere() {
  const t = usePhrases('shell')
  const places = usePlaces()
  return (
    <>
      <PageHead title={t('zone.title')} />
      <Panel className="py-14 text-center">
        <Empty
          title={t('zone.notHere')}
          action={
            <Link to={places.zones} className={buttonClass({}, 'hover:no-underline')}>
              {t('zone.all')}
            </Link>
          }
        />
      </Panel>
    </>
  )
}

export function ZoneWorkspace() {
  const places = usePlaces()
  const here = useZoneHere()
  const [{ tab: name }] = useSearchState(Search)
  const zones = useCall(nodes.metaZones, {})
  if (!here) return <Navigate to={places.zones} replace />
  if (zones.isError && !zones.data) return <Failed fault={zones.error} retry={() => zones.refetch()} />
  if (!zones.data) return <Loading />
  const zone = zones.data.data.find(({ id }) => id === here.id)
  if (!zone) return <NotHere />
  const { tab, can } = tabOf(name)
  const Screen = tabScreens.zone.get(tab)!
  return (
    <RequirePermission can={can}>
      <Suspense fallback={<Loading />}>
        <PageObject value={zone.name}>
          <Screen key={`${zone.id}-${tab}`} zoneId={zone.id} />
        </PageObject>
      </Suspense>
    </RequirePermission>
  )
}
