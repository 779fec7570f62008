/** Where one is, in the names of things and not their ids. */
import { useSearch } from '@tanstack/react-router'
import { Link } from '../kit/Link.tsx'
import type { Page } from './pages.ts'
import { usePhrases } from './phrases.ts'
import { usePlaces } from './places.ts'
import { useSiteHere } from './site-here.ts'
import { siteNav } from './site-nav.ts'

export function Breadcrumb({ page }: { page: Page | undefined }) {
  const t = usePhrases('app')
  const places = usePlaces()
  const site = useSiteHere()
  const { tab = 'overview' } = useSearch({ strict: false }) as { tab?: string }
  const item = siteNav.find((entry) => entry.tab === tab)
  return (
    <nav aria-label={t('nav.breadcrumb')} className="min-w-0">
      <ol className="flex min-w-0 items-center gap-[7px] text-ink-3">
        {site ? (
          <>
            <li className="max-sm:hidden">
              <Link to={places.sites}>{t('nav.sites')}</Link>
            </li>
            <Slash className="max-sm:hidden" />
            <li className="truncate">
              <Link to={places.site(site.id, site.name)}>{site.name}</Link>
            </li>
            {item && (
              <>
                {/* A phone has room for one of them, and the page's own title stands below. */}
                <Slash className="max-sm:hidden" />
                <li aria-current="page" className="truncate font-medium text-ink max-sm:hidden">
                  {t(item.title)}
                </li>
              </>
            )}
          </>
        ) : (
          <>
            {page?.group && (
              <>
                <li className="max-sm:hidden">{t(page.group)}</li>
                <Slash className="max-sm:hidden" />
              </>
            )}
            <li aria-current="page" className="truncate font-medium text-ink">
              {page && t(page.title)}
            </li>
          </>
        )}
      </ol>
    </nav>
  )
}

function Slash({ className }: { className?: string }) {
  return (
    <li aria-hidden className={className}>
      /
    </li>
  )
}
