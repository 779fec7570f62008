/** The frame of the sign-in forms: the brand, the language, the theme. */
import type { ReactNode } from 'react'
import { cn } from '../kit/cn.ts'
import { defaultBrand, useLogo } from '../platform/brand.ts'
import { type Locale, locales, useLocale } from '../platform/locale.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'

export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  const t = usePhrases('platform')
  const { tier } = usePlaces()
  const logo = useLogo()
  const brand = logo?.title || defaultBrand
  return (
    <div className={cn('flex min-h-dvh flex-col', logo?.backgroundImage && 'lg:grid lg:grid-cols-2')}>
      <title>{`${title} · ${brand}`}</title>
      {logo?.backgroundImage && (
        <img
          src={logo.backgroundImage}
          alt=""
          className="h-32 w-full object-cover lg:sticky lg:top-0 lg:order-2 lg:h-dvh"
        />
      )}
      <div className="flex flex-1 flex-col">
        <Languages />
        <main className="grid flex-1 grid-cols-[minmax(0,1fr)] items-start justify-items-center px-4 pb-24 lg:items-center">
          <div className="w-full max-w-[380px]">
            <div className="mb-6 flex items-center gap-3">
              <img
                src={logo?.logo || '/favicon.svg'}
                alt=""
                className="h-10 max-w-[160px] shrink-0 rounded-[10px] object-contain"
              />
              <div className="min-w-0">
                <p className="break-words font-semibold text-[17px] leading-6">{brand}</p>
                <p className="text-ink-3">{logo?.subTitle || t(`console.${tier}`)}</p>
              </div>
            </div>
            <section className="rounded-drawer border border-line bg-surface p-6">
              <h1 className="mb-5 font-semibold text-[20px] leading-7">{title}</h1>
              {children}
            </section>
            {logo?.description && <p className="mt-4 whitespace-pre-line text-ink-3">{logo.description}</p>}
          </div>
        </main>
        <footer className="p-4 text-center text-ink-3 text-xs">{logo?.copyright}</footer>
      </div>
    </div>
  )
}

/**
 * Plain buttons, because people who cannot read the page must find their language. It also keeps the sign-in page
 * small.
 */
function Languages() {
  const t = usePhrases('platform')
  const { locale, setLocale } = useLocale()
  return (
    <nav aria-label={t('language')} className="flex justify-end gap-1 p-3">
      {(Object.keys(locales) as Locale[]).map((one) => (
        <button
          key={one}
          type="button"
          lang={one.replace('_', '-')}
          aria-pressed={one === locale}
          onClick={() => setLocale(one)}
          className="h-8 rounded-control px-2.5 text-ink-2 hover:bg-mute aria-pressed:font-medium aria-pressed:text-ink pointer-coarse:h-11"
        >
          {locales[one]}
        </button>
      ))}
    </nav>
  )
}
