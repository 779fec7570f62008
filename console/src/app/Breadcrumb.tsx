/** Where one is, in the names of things and not their ids. On a phone what it is part of stands small above it. */
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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
    <nav aria-label={t('nav.breadcrumb')} className="relative min-w-0">
      <ol className="flex min-w-0 items-center gap-[7px] text-ink-3 max-sm:flex-col max-sm:items-start max-sm:gap-0">
        {site ? (
          <>
            <li className="max-sm:hidden">
              <Link to={places.sites}>{t('nav.sites')}</Link>
            </li>
            <Slash />
            <Above>
              {/* Two lines leave little to hit: all of the place leads there. */}
              <Link to={places.site(site.id, site.name)} className="max-sm:after:absolute max-sm:after:inset-0">
                {site.name}
              </Link>
            </Above>
            {item && (
              <>
                <Slash />
                <Here>{t(item.title)}</Here>
              </>
            )}
          </>
        ) : (
          <>
            {page?.group && (
              <>
                <Above>{t(page.group)}</Above>
                <Slash />
              </>
            )}
            <Here>{page && t(page.title)}</Here>
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
