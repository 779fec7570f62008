/**
 * The navigation: of the console, or inside a site of that site alone, with a link back at the top. One group is open
 * at a time. On narrow screens it is a drawer.
 */

import { useLocation, useSearch } from '@tanstack/react-router'
import { ArrowLeft, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from '../kit/Button.tsx'
import { cn } from '../kit/cn.ts'
import { consoleGroups, siteGroups, zoneGroups } from '../platform/groups.ts'
import { useTitle } from '../platform/manifest.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useMay } from '../platform/session.ts'
import { type SiteHere, useSiteHere } from '../platform/site-here.ts'
import { useZoneHere, type ZoneHere } from '../platform/zone-here.ts'
import { consoleEntries, siteEntries, siteTab, zoneEntries, zoneTab } from './areas.ts'
import { consoleIcons, siteIcons, zoneIcons } from './icons.ts'
import { type NavGroup, NavGroups, NavItem } from './NavGroups.tsx'
import { Switcher } from './Switcher.tsx'

export function Navigation({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = usePhrases('shell')
  const tKit = usePhrases('kit')
  const box = useRef<HTMLElement>(null)
  const site = useSiteHere()
  const zone = useZoneHere()
  useEffect(() => {
    if (!isOpen) return
    box.current?.focus()
    const press = (event: KeyboardEvent) => event.key === 'Escape' && onClose()
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [isOpen, onClose])
  return (
    <>
      {isOpen && (
        <div aria-hidden className="fixed inset-0 z-40 bg-black/30 lg:hidden dark:bg-black/60" onClick={onClose} />
      )}
      <nav
        ref={box}
        tabIndex={-1}
        aria-label={t('nav.main')}
        className={cn(
          'flex h-dvh flex-col gap-px overflow-y-auto border-line border-r bg-canvas p-2.5 outline-none lg:sticky lg:top-0',
          'max-lg:fixed max-lg:inset-y-0 max-lg:left-0 max-lg:z-50 max-lg:w-[264px] max-lg:shadow-pop',
          !isOpen && 'max-lg:hidden',
        )}
      >
        <div className="mb-3 flex items-center gap-1">
          <Switcher />
          <span className="lg:hidden">
            <IconButton label={tKit('close')} onClick={onClose}>
              <X size={16} aria-hidden />
            </IconButton>
          </span>
        </div>
        {site ? <SiteItems site={site} /> : zone ? <ZoneItems zone={zone} /> : <ConsoleItems />}
      </nav>
    </>
  )
}

function SiteItems({ site }: { site: SiteHere }): ReactNode {
  const t = usePhrases('shell')
  const title = useTitle()
  const places = usePlaces()
  const may = useMay()
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  const here = (siteTab(tab ?? '') ?? siteEntries(may)[0]?.entries[0])?.tab
  const groups: NavGroup[] = siteEntries(may).map(({ group, entries }) => ({
    key: group,
    title: title(siteGroups[group]),
    icon: siteIcons[group],
    entries: entries.map((entry) => ({
      key: entry.tab,
      title: title(entry.title),
      to: places.site(site.id, site.name),
      tab: entry.tab,
      isHere: entry.tab === here,
      count: entry.tab === 'domains' ? site.domainCount : undefined,
    })),
  }))
  return (
    <>
      <NavItem to={places.sites} icon={ArrowLeft} isHere={false} title={t('switcher.all')} />
      <div className="my-1.5 border-line border-b" />
      <NavGroups key="site" groups={groups} />
    </>
  )
}

function ZoneItems({ zone }: { zone: ZoneHere }): ReactNode {
  const t = usePhrases('shell')
  const title = useTitle()
  const places = usePlaces()
  const may = useMay()
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  const here = (zoneTab(tab ?? '') ?? zoneEntries(may)[0]?.entries[0])?.tab
  const groups: NavGroup[] = zoneEntries(may).map(({ group, entries }) => ({
    key: group,
    title: title(zoneGroups[group]),
    icon: zoneIcons[group],
    entries: entries.map((entry) => ({
      key: entry.tab,
      title: title(entry.title),
      to: places.zone(zone.id, zone.name),
      tab: entry.tab,
      isHere: entry.tab === here,
    })),
  }))
  return (
    <>
      <NavItem to={places.zones} icon={ArrowLeft} isHere={false} title={t('zone.all')} />
      <div className="my-1.5 border-line border-b" />
      <NavGroups key="zone" groups={groups} />
    </>
  )
}

function ConsoleItems(): ReactNode {
  const title = useTitle()
  const { tier } = usePlaces()
  const may = useMay()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const { site } = useSearch({ strict: false }) as { site?: number }
  const groups: NavGroup[] = consoleEntries(tier, may)
    .filter(({ group }) => group !== 'me')
    .map(({ group, entries }) => ({
      key: group,
      title: title(consoleGroups[group]),
      icon: consoleIcons[group],
      entries: entries.map((page) => ({
        key: page.path,
        title: title(page.title),
        to: page.to,
        site: page.takesSite ? site : undefined,
        isHere: path === page.to,
      })),
    }))
  return <NavGroups key="console" groups={groups} />
}
