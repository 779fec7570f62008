/** Preview of a brand, in light and dark side by side: the sign-in page and the console's header. */
import { isColour, paletteOf } from '@breakwater/contract/brand/colour.ts'
import { Globe, Home, KeyRound } from 'lucide-react'
import type { CSSProperties } from 'react'
import { cn } from '../kit/cn.ts'
import { defaultBrand } from '../platform/brand.ts'
import { usePhrases } from '../platform/phrases.ts'

export type Worn = {
  title: string
  subTitle: string
  description: string
  copyright: string
  accent: string
  logo: string
  sidebarLogo: string
  sidebarSimpleLogo: string
  backgroundImage: string
}

export function BrandPreview({ worn }: { worn: Worn }) {
  const t = usePhrases('brand')
  return (
    <div className="mb-5 grid gap-3 sm:grid-cols-2">
      {(['light', 'dark'] as const).map((theme) => (
        <figure key={theme} className="min-w-0">
          <figcaption className="mb-1 text-ink-3 text-xs">{t(`preview.${theme}`)}</figcaption>
          <Sample worn={worn} theme={theme} />
        </figure>
      ))}
    </div>
  )
}

function accentOf(accent: string, theme: 'light' | 'dark'): CSSProperties {
  if (!isColour(accent)) return {}
  const palette = paletteOf(accent)
  const [on, under] =
    theme === 'light' ? [palette.accent, palette.accentBg] : [palette.darkAccent, palette.darkAccentBg]
  return { '--accent': on, '--accent-bg': under } as CSSProperties
}

function Sample({ worn, theme }: { worn: Worn; theme: 'light' | 'dark' }) {
  const t = usePhrases('brand')
  const tPlatform = usePhrases('platform')
  const brand = worn.title || defaultBrand
  const line = 'h-2 rounded-full given:bg-mute'
  return (
    <div
      aria-hidden
      style={accentOf(worn.accent, theme)}
      className={cn(
        theme,
        'pointer-events-none select-none overflow-hidden rounded-panel border border-line bg-canvas text-[11px] text-ink leading-4',
      )}
    >
      {worn.backgroundImage && <img src={worn.backgroundImage} alt="" className="h-12 w-full object-cover" />}
      <div className="px-4 py-3">
        <div className="mb-2 flex items-center gap-2">
          <img src={worn.logo || '/favicon.svg'} alt="" className="h-7 max-w-20 rounded-[6px] object-contain" />
          <span className="min-w-0">
            <span className="block truncate font-semibold text-[13px]">{brand}</span>
            <span className="block truncate text-ink-3">{worn.subTitle || tPlatform('console.user')}</span>
          </span>
        </div>
        <div className="rounded-control border border-line bg-surface p-2.5">
          <span className={cn(line, 'mb-2 block w-2/5')} />
          <span className="mb-2 block h-5 rounded-[5px] border border-accent outline-2 outline-accent/40" />
          <span className="flex items-center justify-between">
            <span className="rounded-[5px] bg-solid px-2 py-0.5 text-on-solid">{t('preview.enter')}</span>
            <span className="text-accent underline underline-offset-2">{t('preview.link')}</span>
          </span>
        </div>
        {worn.description && <p className="mt-2 line-clamp-2 whitespace-pre-line text-ink-3">{worn.description}</p>}
        <p className="mt-2 truncate text-center text-ink-3">
          {worn.copyright || `© ${new Date().getFullYear()} ${brand}`}
        </p>
      </div>
      <div className="grid grid-cols-[112px_1fr] border-line border-t">
        <div className="border-line border-r p-2">
          <div className="mb-1.5 flex h-7 items-center gap-1.5 rounded-[6px] border border-line bg-surface px-1.5">
            {worn.sidebarLogo ? (
              <img src={worn.sidebarLogo} alt="" className="max-h-5 max-w-full object-contain" />
            ) : (
              <>
                {worn.sidebarSimpleLogo ? (
                  <img src={worn.sidebarSimpleLogo} alt="" className="size-4 rounded-[4px] object-contain" />
                ) : (
                  <span className="grid size-4 shrink-0 place-items-center rounded-[4px] bg-mute font-semibold text-[9px]">
                    {brand.slice(0, 1).toUpperCase()}
                  </span>
                )}
                <span className="truncate font-semibold">{brand}</span>
              </>
            )}
          </div>
          <span className="flex items-center gap-1.5 rounded-[5px] bg-mute px-1.5 py-0.5 font-medium shadow-[inset_2px_0_0_var(--accent)]">
            <Home size={11} strokeWidth={1.6} />
            <span className={cn(line, 'w-10 bg-line-strong')} />
          </span>
          {[Globe, KeyRound].map((Icon, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two placeholder entries without names
            <span key={index} className="flex items-center gap-1.5 px-1.5 py-0.5 text-ink-2">
              <Icon size={11} strokeWidth={1.6} />
              <span className={cn(line, 'w-12')} />
            </span>
          ))}
        </div>
        <div className="p-2">
          <span className="mb-2 block rounded-[5px] bg-accent-bg px-2 py-1 font-medium text-accent">
            {t('preview.chosen')}
          </span>
          <span className={cn(line, 'mb-1.5 block w-4/5')} />
          <span className={cn(line, 'block w-3/5')} />
        </div>
      </div>
    </div>
  )
}
