/** The navigation: of the console, and inside a site of that site first. A drawer where there is no room. */
import { Link, useLocation, useSearch } from '@tanstack/react-router'
import { type LucideIcon, X } from 'lucide-react'
import { Fragment, memo, type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from '../kit/Button.tsx'
import { cn } from '../kit/cn.ts'
import { icons } from './icons.ts'
import { pages } from './pages.ts'
import { usePhrases } from './phrases.ts'
import { usePlaces } from './places.ts'
import { Switcher } from './Switcher.tsx'
import { useMay } from './session.ts'
import { useSiteHere } from './site-here.ts'
import { siteNav } from './site-nav.ts'

export function Navigation({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = usePhrases('app')
  const tKit = usePhrases('kit')
  const box = useRef<HTMLElement>(null)
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
        <SiteItems />
        <ConsoleItems />
      </nav>
    </>
  )
}

function SiteItems() {
  const t = usePhrases('app')
  const places = usePlaces()
  const site = useSiteHere()
  const may = useMay()
  const { tab = 'overview' } = useSearch({ strict: false }) as { tab?: string }
  if (!site) return null
  const entries = siteNav.filter(({ can }) => may(can))
  return (
    <>
      {entries.map((entry, index) => (
        <Fragment key={entry.tab}>
          {entry.group && entries[index - 1]?.group !== entry.group && (
            <GroupHead icon={entry.groupIcon}>{t(entry.group)}</GroupHead>
          )}
          <Item
            to={places.site(site.id, site.name)}
            tab={entry.tab}
            icon={entry.icon}
            isHere={tab === entry.tab}
            count={entry.tab === 'domains' ? site.domainCount : undefined}
            title={t(entry.title)}
          />
        </Fragment>
      ))}
      <p className="px-2 pt-3.5 pb-1 text-[11px] text-ink-3">
        {t(places.tier === 'user' ? 'nav.account' : `console.${places.tier}`)}
      </p>
    </>
  )
}

function ConsoleItems() {
  const t = usePhrases('app')
  const { tier } = usePlaces()
  const may = useMay()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const shown = pages[tier].filter((page) => page.icon && (!page.can || may(page.can)))
  const isInSite = path.includes('/sitesSetting/')
  return shown.map((page, index) => (
    <Fragment key={page.path}>
      {!isInSite && page.group && shown[index - 1]?.group !== page.group && (
        <p className="px-2 pt-3.5 pb-1 text-[11px] text-ink-3">{t(page.group)}</p>
      )}
      <Item
        to={`/${tier}/${page.path}`}
        icon={page.icon && icons[page.icon]}
        isHere={path === `/${tier}/${page.path}`}
        title={t(page.title)}
      />
    </Fragment>
  ))
}

const itemClass = 'flex min-h-[30px] items-center gap-2.5 rounded-[6px] px-2 given:text-ink-2 pointer-coarse:min-h-11'

function GroupHead({ icon: Icon, children }: { icon: LucideIcon | undefined; children: ReactNode }) {
  return (
    <p className={itemClass}>
      {Icon && <Icon size={16} strokeWidth={1.6} aria-hidden />}
      {children}
    </p>
  )
}

type ItemProps = {
  to: string
  /** Of a site's settings. */
  tab?: string
  icon: LucideIcon | undefined
  isHere: boolean
  count?: number | undefined
  title: string
}

const nothing = {}

/** Drawn again only when it becomes, or was, the page one is on: there are thirty of them around every change of page. */
const Item = memo(function Item({ to, tab, icon: Icon, isHere, count, title }: ItemProps) {
  return (
    <Link
      to={to}
      search={(tab === undefined ? nothing : { tab }) as never}
      aria-current={isHere ? 'page' : undefined}
      className={cn(
        itemClass,
        'hover:bg-mute',
        !Icon && 'pl-[34px]',
        isHere && 'bg-mute font-medium text-ink shadow-[inset_2px_0_0_var(--accent)]',
      )}
    >
      {Icon && <Icon size={16} strokeWidth={1.6} aria-hidden />}
      <span className="min-w-0 truncate">{title}</span>
      {count !== undefined && <span className="num ml-auto text-[11px] text-ink-3">{count}</span>}
    </Link>
  )
})
