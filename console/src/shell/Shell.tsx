/** The frame of the console after sign-in: navigation, breadcrumb, language, theme, account; and the page. */
import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { lazy, memo, Suspense, useCallback, useEffect, useState } from 'react'
import { afterCalls } from '../kit/after-calls.ts'
import { Button, IconButton } from '../kit/Button.tsx'
import { Loading } from '../kit/Loading.tsx'
import { later } from '../kit/later.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { useAwaySince } from '../platform/reach.ts'
import { useSelf } from '../platform/session.ts'
import { useLastChange } from '../platform/site-changes.ts'
import { useSiteHere } from '../platform/site-here.ts'
import { prepareToasts } from '../platform/toasts.ts'
import { AccountButton } from './AccountButton.tsx'
import { AwayBanner } from './AwayBanner.tsx'
import { Breadcrumb } from './Breadcrumb.tsx'
import { loadWords } from './load-words.ts'
import { Navigation } from './Navigation.tsx'
import { RequirePermission } from './RequirePermission.tsx'

const ActingBanner = lazy(() => import('./ActingBanner.tsx').then((file) => ({ default: file.ActingBanner })))
const SavedChange = lazy(async () => {
  const [file] = await Promise.all([import('../pickers/rules/SavedChange.tsx'), loadWords(['rules'])])
  return { default: file.SavedChange }
})
const AnnouncementStrip = later(
  afterCalls(() => import('../announcements/AnnouncementStrip.tsx').then((file) => file.AnnouncementStrip)),
)
const AnnouncementButton = later(
  afterCalls(() => import('../announcements/AnnouncementStrip.tsx').then((file) => file.AnnouncementButton)),
)
const PublishState = later(afterCalls(() => import('./PublishState.tsx').then((file) => file.PublishState)))
const BareShell = later(() => import('./BareShell.tsx').then((file) => file.BareShell))
const Shortcuts = later(() => import('./Shortcuts.tsx').then((file) => file.Shortcuts))
const Palette = laterFloat('dialog', () => import('./Palette.tsx').then((file) => file.Palette))

/** The delay, in ms, after which the toaster is loaded unless a message needs it earlier. */
const toastsAfterMs = 4000

export function Shell() {
  return useSelf().mustChangePassword ? <BareShell /> : <WholeShell />
}

function WholeShell() {
  const t = usePhrases('shell')
  const [isNavOpen, setNavOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const path = useLocation({ select: ({ pathname }) => pathname })
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData.page })
  const self = useSelf()
  const site = useSiteHere()
  const awaySince = useAwaySince()
  const change = useLastChange()

  const openPalette = useCallback(() => setPaletteOpen(true), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the drawer
  useEffect(() => setNavOpen(false), [path])
  // After the page itself, but before it is needed, so that the live region exists when the first message appears.
  useEffect(() => {
    const timer = setTimeout(prepareToasts, toastsAfterMs)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setPaletteOpen(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])

  return (
    <div className="grid min-h-dvh lg:grid-cols-[236px_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only rounded-control bg-solid px-3 py-2 text-on-solid focus-visible:not-sr-only focus-visible:fixed focus-visible:top-2 focus-visible:left-2 focus-visible:z-70"
      >
        {t('nav.skip')}
      </a>
      <Navigation isOpen={isNavOpen} onClose={() => setNavOpen(false)} />
      <div className="flex min-w-0 flex-col">
        {self.proxiedBy && (
          <Suspense>
            <ActingBanner self={self} by={self.proxiedBy} />
          </Suspense>
        )}
        {/* Part of the initial chunk: without a server, nothing more can be loaded. */}
        {awaySince !== undefined && <AwayBanner since={awaySince} />}
        {self.auth === 'user' && <AnnouncementStrip />}
        <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-line border-b bg-canvas px-5 max-lg:px-3">
          <span className="lg:hidden">
            <IconButton label={t('nav.open')} onClick={() => setNavOpen(true)}>
              <MenuIcon size={18} aria-hidden />
            </IconButton>
          </span>
          <Breadcrumb page={page} />
          {site && (
            <span className="ml-3 max-sm:hidden">
              <PublishState key={site.id} siteId={site.id} />
            </span>
          )}
          <span className="ml-auto" />
          <Everywhere hasAnnouncements={self.auth === 'user'} onPalette={openPalette} />
        </header>
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 px-6 pt-5 pb-10 outline-none max-lg:px-4">
          <Suspense fallback={<Loading />}>
            <RequirePermission can={page?.can}>
              <Outlet />
            </RequirePermission>
          </Suspense>
        </main>
      </div>
      <Shortcuts />
      {change && (
        <Suspense>
          <SavedChange change={change} />
        </Suspense>
      )}
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
    </div>
  )
}

type EverywhereProps = { hasAnnouncements: boolean; onPalette: () => void }

/** The parts of the header that every page has: rendered once, not with each navigation. */
const Everywhere = memo(function Everywhere({ hasAnnouncements, onPalette }: EverywhereProps) {
  const t = usePhrases('shell')
  return (
    <>
      <Button
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onPalette}
        className="h-[30px] w-[280px] justify-between border-line px-2 font-normal text-ink-3 max-lg:w-9 max-lg:justify-center"
      >
        <span className="max-lg:sr-only">{t('palette.open')}</span>
        <Search size={15} aria-hidden className="lg:hidden" />
        <span aria-hidden className="flex gap-1 max-lg:hidden">
          <Key>Ctrl</Key>
          <Key>K</Key>
        </span>
      </Button>
      {hasAnnouncements && <AnnouncementButton />}
      <AccountButton />
    </>
  )
})

function Key({ children }: { children: string }) {
  return (
    <kbd className="rounded-[4px] border border-line px-[5px] font-medium font-sans text-[11px] text-ink-3 leading-[18px]">
      {children}
    </kbd>
  )
}
