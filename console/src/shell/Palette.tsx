/**
 * Ctrl or Cmd + K: permitted actions and pages, sites and domains, an address or a request id, the language, the theme.
 */

import { domainDirectory } from '@breakwater/contract/domains/directory.ts'
import { referencePattern } from '@breakwater/contract/edge/reference.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Overlay } from '../kit/Overlay.tsx'
import { PickList } from '../kit/PickList.tsx'
import { useCall } from '../platform/calls.ts'
import { useExplainPlace } from '../platform/explain-place.ts'
import { type Locale, locales, useLocale } from '../platform/locale.ts'
import { useTitle } from '../platform/manifest.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useMay } from '../platform/session.ts'
import { useSiteHere } from '../platform/site-here.ts'
import { setTheme, themes } from '../platform/theme.ts'
import { pagesOf, siteTabs } from './areas.ts'
import { focusPage } from './focus-page.ts'
import { addressActs, siteActs, type Target, wordsOf } from './palette-acts.ts'
import { useSignOut } from './sign-out.ts'

const sitesMax = 20
/** The number of characters from which domains are searched. */
const domainMin = 2
const signOutWords = 'log out logout exit 登出 退出 離開'
const requestId = /^[0-9a-f-]{16,64}$/i

export function Palette({ onClose }: { onClose: () => void }) {
  const t = usePhrases('shell')
  const tPlatform = usePhrases('platform')
  const titleOf = useTitle()
  const places = usePlaces()
  const may = useMay()
  const navigate = useNavigate()
  const site = useSiteHere()
  const { setLocale } = useLocale()
  const signOut = useSignOut()
  const [typed, setTyped] = useState('')
  const { data } = useCall(sites.meta, {}, { enabled: places.tier !== 'admin' && may('sites.read') })

  const mayFind = places.tier !== 'admin' && typed.length >= domainMin && may('domains.read')
  const body = { siteIDs: [], tags: [], keyword: typed.slice(0, 253) }
  const found = useCall(domainDirectory.meta, { body }, { enabled: mayFind }).data?.data
  const siteNames = new Map((data?.data ?? []).map(({ siteID, siteName }) => [siteID, siteName]))
  const tools = { t, titleOf, places, may }
  const acts = siteActs(
    site,
    (data?.data ?? []).map(({ siteID, siteName }) => ({ id: siteID, name: siteName })),
    tools,
  )

  const here: Target[] = site
    ? siteTabs
        .filter(({ can }) => may(can))
        .map(({ tab, title }) => ({
          key: `tab-${tab}`,
          also: wordsOf(title, tab),
          label: titleOf(title),
          group: site.name,
          to: places.site(site.id, site.name),
          search: { tab },
        }))
    : []
  const explainPlace = useExplainPlace()
  const all: Target[] = pagesOf(places.tier)
    .filter(({ path, can }) => !path.includes('$') && (!can || may(can)))
    .map(({ path, title, key, to, opensTab }) => ({
      key: path,
      also: wordsOf(title, path),
      label: titleOf(title),
      hint: key && `g ${key}`,
      group: t('palette.pages'),
      ...(opensTab ? { run: () => void open(to, '_blank', 'noopener') } : { to }),
    }))

  const choices: Target[] = [
    {
      key: 'signOut',
      label: t('menu.signOut'),
      also: signOutWords,
      group: t('menu.account'),
      run: () => void signOut(),
    },
    ...(Object.keys(locales) as Locale[]).map((value) => ({
      key: `language-${value}`,
      label: locales[value],
      group: tPlatform('language'),
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
        group: t('palette.sites'),
        to: places.site(siteID, siteName),
      }))
    const matching = (targets: Target[]) =>
      targets.filter(({ label, key, group, also = '' }) =>
        `${group} ${label} ${key} ${also}`.toLowerCase().includes(text),
      )
    const isReference = referencePattern.test(typed) || requestId.test(typed)
    const explain: Target[] = isReference
      ? [
          {
            key: 'explain',
            label: t('palette.explain', { reference: typed.slice(0, 20) }),
            ...explainPlace(typed),
          },
        ]
      : []
    // The domains of the current site come first.
    const isHere = ({ siteID }: { siteID: number }) => Number(siteID === site?.id)
    const domainsFound = (mayFind ? [...(found ?? [])] : [])
      .sort((one, other) => isHere(other) - isHere(one))
      .slice(0, sitesMax)
      .map(({ id, name, siteID }) => ({
        key: `domain-${id}`,
        label: name,
        hint: siteNames.get(siteID) ?? '',
        group: t('palette.domains'),
        to: places.site(siteID, siteNames.get(siteID) ?? name),
        search: { tab: 'domains', keywords: name, edit: id },
      }))
    return [
      ...explain,
      ...addressActs(typed, site, tools),
      // A page's own name finds it first, also for Enter; the actions on it come after.
      ...matching([...here, ...all]),
      ...(text === '' && !site ? [] : matching(acts)),
      ...named,
      ...domainsFound,
      ...matching(choices),
    ]
  }
  return (
    <Overlay label={t('palette.open')} onClose={onClose}>
      <PickList
        label={t('palette.open')}
        none={t('palette.none')}
        items={(text, typed) => find(text, typed)}
        onText={setTyped}
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
