/** Ctrl or Cmd + K: every page one may open, every site, the language, the theme, and a reference or request id to explain. */

import { referencePattern } from '@breakwater/contract/edge/reference.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { useNavigate } from '@tanstack/react-router'
import { Overlay } from '../kit/Overlay.tsx'
import { type Pick, PickList } from '../kit/PickList.tsx'
import { useCall } from './calls.ts'
import { focusPage } from './focus-page.ts'
import { type Locale, locales, useLocale } from './locale.ts'
import { pages } from './pages.ts'
import { usePhrases } from './phrases.ts'
import { usePlaces } from './places.ts'
import { useMay } from './session.ts'
import { letterOf } from './shortcuts.ts'
import { useSiteHere } from './site-here.ts'
import { siteNav } from './site-nav.ts'
import { setTheme, themes } from './theme.ts'

const sitesMax = 20
const requestId = /^[0-9a-f-]{16,64}$/i

type Target = Pick & ({ to: string; search?: Record<string, unknown> } | { run: () => void })

export function Palette({ onClose }: { onClose: () => void }) {
  const t = usePhrases('app')
  const places = usePlaces()
  const may = useMay()
  const navigate = useNavigate()
  const site = useSiteHere()
  const { setLocale } = useLocale()
  const { data } = useCall(sites.meta, {}, { enabled: places.tier !== 'admin' && may('sites.read') })

  const here: Target[] = site
    ? siteNav
        .filter(({ can }) => may(can))
        .map(({ tab, title }) => ({
          key: `tab-${tab}`,
          label: t(title),
          group: site.name,
          to: places.site(site.id, site.name),
          search: { tab },
        }))
    : []
  const all: Target[] = pages[places.tier]
    .filter(({ path, can }) => !path.includes('$') && (!can || may(can)))
    .map((page) => ({
      key: page.path,
      label: t(page.title),
      hint: letterOf(page) && `g ${letterOf(page)}`,
      group: t('palette.pages'),
      to: `/${places.tier}/${page.path}`,
    }))

  const choices: Target[] = [
    ...(Object.keys(locales) as Locale[]).map((value) => ({
      key: `language-${value}`,
      label: locales[value],
      group: t('language'),
      run: () => setLocale(value),
    })),
    ...themes.map((value) => ({
      key: `theme-${value}`,
      label: t(`theme.${value}`),
      group: t('theme'),
      run: () => setTheme(value),
    })),
  ]

  function find(text: string, typed: string): Target[] {
    const named = (data?.data ?? [])
      .filter(({ siteName }) => siteName.toLowerCase().includes(text))
      .slice(0, sitesMax)
      .map(({ siteID, siteName }) => ({
        key: `site-${siteID}`,
        label: siteName,
        group: t('nav.sites'),
        to: places.site(siteID, siteName),
      }))
    const matching = (targets: Target[]) =>
      targets.filter(({ label, key, group }) => `${group} ${label} ${key}`.toLowerCase().includes(text))
    const isReference = referencePattern.test(typed) || requestId.test(typed)
    const explain: Target[] = isReference
      ? [
          {
            key: 'explain',
            label: t('palette.explain', { reference: typed.slice(0, 20) }),
            to: places.explain,
            search: { reference: typed },
          },
        ]
      : []
    return [...explain, ...matching([...here, ...all]), ...named, ...matching(choices)]
  }
  return (
    <Overlay label={t('palette.open')} onClose={onClose}>
      <PickList
        label={t('palette.open')}
        none={t('palette.none')}
        items={(text, typed) => find(text, typed)}
        onPick={(item) => {
          onClose()
          const target = item as Target
          if ('run' in target) target.run()
          else void navigate({ to: target.to, search: (target.search ?? {}) as never }).then(focusPage)
        }}
      />
    </Overlay>
  )
}
