/** The top of the navigation: the current console or site, and a switch to the same page of another site. */
import { sites } from '@breakwater/contract/sites/sites.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { Popover } from '../kit/Overlay.tsx'
import { type Pick, PickList } from '../kit/PickList.tsx'
import { useBrand, useLogo } from '../platform/brand.ts'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useMay } from '../platform/session.ts'
import { useSiteHere } from '../platform/site-here.ts'

export function Switcher() {
  const t = usePhrases('shell')
  const tPlatform = usePhrases('platform')
  const places = usePlaces()
  const brand = useBrand()
  const logo = useLogo()
  const site = useSiteHere()
  const may = useMay()
  const canSwitch = places.tier !== 'admin' && may('sites.read')
  const [open, setOpen] = useState(false)
  const title = site?.name ?? brand
  const hint = site
    ? site.domainCount !== undefined && t('switcher.domains', { n: site.domainCount })
    : tPlatform(`console.${places.tier}`)
  const wide = site ? '' : logo?.sidebarLogo
  const face = wide ? (
    <span className="flex h-[30px] min-w-0 flex-1 items-center">
      <img src={wide} alt={brand} className="max-h-[30px] max-w-full object-contain" />
    </span>
  ) : (
    <>
      {!site && logo?.sidebarSimpleLogo ? (
        <img src={logo.sidebarSimpleLogo} alt="" className="size-6 shrink-0 rounded-[6px] object-contain" />
      ) : (
        <span
          aria-hidden
          className="grid size-6 shrink-0 place-items-center rounded-[6px] bg-gradient-to-br from-[#2b5cd9] to-[#0b7a6f] font-semibold text-[11px] text-white"
        >
          {title.slice(0, 1).toUpperCase()}
        </span>
      )}
      <span className="min-w-0 flex-1 text-left">
        <span className="block truncate font-semibold leading-4">{title}</span>
        <span className="block truncate text-[11px] text-ink-3 leading-[14px]">{hint || ' '}</span>
      </span>
    </>
  )
  const boxClass =
    'flex min-w-0 flex-1 items-center gap-[9px] rounded-[8px] border border-line bg-surface px-2 py-[7px]'
  if (!canSwitch) return <div className={boxClass}>{face}</div>
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t('switcher.label')}
      className="w-[320px]"
      trigger={
        <button type="button" className={`${boxClass} hover:border-line-strong`}>
          {face}
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-ink-3" />
          <span className="sr-only">{t('switcher.label')}</span>
        </button>
      }
    >
      <SiteList onDone={() => setOpen(false)} />
    </Popover>
  )
}

const allKey = 'all'
const recentMax = 50

function SiteList({ onDone }: { onDone: () => void }) {
  const t = usePhrases('shell')
  const places = usePlaces()
  const navigate = useNavigate()
  const isInSite = useSiteHere() !== undefined
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  const { data } = useCall(sites.meta, {})
  function items(text: string): Pick[] {
    const found = (data?.data ?? [])
      .filter(({ siteName }) => siteName.toLowerCase().includes(text))
      .slice(0, recentMax)
      .map(({ siteID, siteName }) => ({ key: String(siteID), label: siteName }))
    return text === '' ? [{ key: allKey, label: t('switcher.all') }, ...found] : found
  }
  function go({ key, label }: Pick) {
    onDone()
    const to = key === allKey ? places.sites : places.site(Number(key), label)
    void navigate({ to, search: (key !== allKey && isInSite && tab ? { tab } : {}) as never })
  }
  return <PickList label={t('switcher.search')} items={items} onPick={go} none={t('switcher.none')} />
}
