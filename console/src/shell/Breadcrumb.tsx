/**
 * The current location by the names of objects, not their ids. On a phone, the parent is shown in small type above it.
 */
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Link } from '../kit/Link.tsx'
import { consoleGroups } from '../platform/groups.ts'
import { useTitle } from '../platform/manifest.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useSiteHere } from '../platform/site-here.ts'
import { useZoneHere } from '../platform/zone-here.ts'
import { type PlacedPage, siteTab, zoneTab } from './areas.ts'

export function Breadcrumb({ page }: { page: PlacedPage | undefined }) {
  const t = usePhrases('shell')
  const places = usePlaces()
  const site = useSiteHere()
  const { tab = 'overview' } = useSearch({ strict: false }) as { tab?: string }
  const zone = useZoneHere()
  const item = zone ? zoneTab(tab) : siteTab(tab)
  const title = useTitle()
  const group = page?.group && title(consoleGroups[page.group])
  const name = page && title(page.title)
  return (
    <nav aria-label={t('nav.breadcrumb')} className="relative min-w-0">
      <ol className="flex min-w-0 items-center gap-[7px] text-ink-3 max-sm:flex-col max-sm:items-start max-sm:gap-0">
        {site || zone ? (
          <>
            <li className="max-sm:hidden">
              {site ? (
                <Link to={places.sites}>{title(consoleGroups.sites)}</Link>
              ) : (
                <Link to={places.zones}>{t('zone.zones')}</Link>
              )}
            </li>
            <Slash />
            <Above>
              {/* Two lines make for a small target, so the whole area is the link. */}
              <Link
                to={site ? places.site(site.id, site.name) : places.zone(zone!.id, zone!.name)}
                className="max-sm:after:absolute max-sm:after:inset-0"
              >
                {(site ?? zone)!.name}
              </Link>
            </Above>
            {item && (
              <>
                <Slash />
                <Here>{title(item.title)}</Here>
              </>
            )}
          </>
        ) : (
          <>
            {group && group !== name && (
              <>
                <Above>{group}</Above>
                <Slash />
              </>
            )}
            <Here>{name}</Here>
          </>
        )}
      </ol>
    </nav>
  )
}

const Above = ({ children }: { children: ReactNode }) => (
  <li className="max-w-full truncate max-sm:text-[11px] max-sm:leading-[15px]">{children}</li>
)

const Here = ({ children }: { children: ReactNode }) => (
  <li aria-current="page" className="max-w-full truncate font-medium text-ink max-sm:leading-[18px]">
    {children}
  </li>
)

const Slash = () => (
  <li aria-hidden className="max-sm:hidden">
    /
  </li>
)
