/** The account menu: initially open, as it is loaded on request. */
import { useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { Menu, MenuItem, MenuLine } from '../kit/Menu.tsx'
import { useLogo } from '../platform/brand.ts'
import { useTitle } from '../platform/manifest.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useMay, useSelf } from '../platform/session.ts'
import { consoleEntries } from './areas.ts'
import { LanguageChoices, ThemeChoices } from './menus.tsx'
import { useSignOut } from './sign-out.ts'

/** Everything personal: the pages of the group `me`, the language, the theme, signing out. */
export function AccountMenu({ trigger }: { trigger: ReactElement }) {
  const t = usePhrases('shell')
  const self = useSelf()
  const logo = useLogo()
  const places = usePlaces()
  const navigate = useNavigate()
  const title = useTitle()
  const may = useMay()
  const signOut = useSignOut()
  const mine = consoleEntries(places.tier, may).find(({ group }) => group === 'me')?.entries ?? []
  return (
    <Menu trigger={trigger} defaultOpen>
      <div className="max-w-60 px-2 pt-1 pb-2">
        <p className="truncate font-semibold">{self.name || self.account}</p>
        <p className="truncate text-ink-3 text-xs">{self.email || self.account}</p>
      </div>
      <MenuLine />
      {mine.map((page) => (
        <MenuItem
          key={page.to}
          onClick={() => (page.opensTab ? void open(page.to, '_blank', 'noopener') : navigate({ to: page.to }))}
        >
          {title(page.title)}
        </MenuItem>
      ))}
      <MenuLine />
      <LanguageChoices />
      <ThemeChoices />
      <MenuLine />
      <MenuItem onClick={signOut}>{t('menu.signOut')}</MenuItem>
      {logo && (
        <p className="max-w-60 truncate px-2 pt-1.5 pb-1 text-[11px] text-ink-3">{`${logo.title} ${logo.version}`}</p>
      )}
    </Menu>
  )
}
