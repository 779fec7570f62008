/** The menus of the top bar: language, theme, account. */
import { signIn } from '@breakwater/contract/auth/sign-in.ts'
import { useNavigate } from '@tanstack/react-router'
import { Languages, SunMoon } from 'lucide-react'
import { IconButton } from '../kit/Button.tsx'
import { Menu, MenuChoices, MenuItem, MenuLine } from '../kit/Menu.tsx'
import { toasts } from '../kit/toasts.ts'
import { useLogo } from './brand.ts'
import { send } from './browser.ts'
import { type Locale, locales, useLocale } from './locale.ts'
import { useMedia } from './media.ts'
import { usePhrases } from './phrases.ts'
import { usePlaces } from './places.ts'
import { endSession, useSelf } from './session.ts'
import { setTheme, themes, useTheme } from './theme.ts'
import { cookieTokens } from './tokens.ts'

export function LanguageMenu() {
  const t = usePhrases('app')
  return (
    <Menu
      trigger={
        <IconButton label={t('language')}>
          <Languages size={16} strokeWidth={1.6} aria-hidden />
        </IconButton>
      }
    >
      <LanguageChoices />
    </Menu>
  )
}

function LanguageChoices() {
  const t = usePhrases('app')
  const { locale, setLocale } = useLocale()
  return (
    <MenuChoices
      label={t('language')}
      value={locale}
      onChange={setLocale}
      options={(Object.keys(locales) as Locale[]).map((value) => ({ value, label: locales[value] }))}
    />
  )
}

export function ThemeMenu() {
  const t = usePhrases('app')
  return (
    <Menu
      trigger={
        <IconButton label={t('theme')}>
          <SunMoon size={16} strokeWidth={1.6} aria-hidden />
        </IconButton>
      }
    >
      <ThemeChoices />
    </Menu>
  )
}

function ThemeChoices() {
  const t = usePhrases('app')
  const theme = useTheme()
  return (
    <MenuChoices
      label={t('theme')}
      value={theme}
      onChange={setTheme}
      options={themes.map((value) => ({ value, label: t(`theme.${value}`) }))}
    />
  )
}

/** On a phone it has the language and the theme as well: the head has no room for their buttons. */
export function AccountMenu() {
  const t = usePhrases('app')
  const self = useSelf()
  const logo = useLogo()
  const places = usePlaces()
  const navigate = useNavigate()
  const isPhone = useMedia('phone')
  async function signOut() {
    const tokens = cookieTokens.read(places.tier)
    if (tokens) {
      const { accessToken, refreshToken } = tokens
      // The door opens whatever the server says; a session it no longer knows has ended already.
      await send(signIn.logout, { body: { accessToken, refreshToken } }).catch(() => undefined)
    }
    await navigate({ to: places.door, search: {} as never })
    endSession(places.tier)
    await navigate({ to: places.door, search: {} as never })
    toasts.done(t('signedOut'))
  }
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="grid size-7 shrink-0 place-items-center rounded-full bg-mute font-semibold text-[11px] text-ink hover:outline-2 hover:outline-line-strong pointer-coarse:size-10"
        >
          <span aria-hidden>{(self.name || self.account).slice(0, 2).toUpperCase()}</span>
          <span className="sr-only">{t('menu.account')}</span>
        </button>
      }
    >
      <div className="max-w-60 px-2 pt-1 pb-2">
        <p className="truncate font-semibold">{self.name || self.account}</p>
        <p className="truncate text-ink-3 text-xs">{self.email || self.account}</p>
      </div>
      <MenuLine />
      <MenuItem onClick={() => navigate({ to: places.profile })}>{t('nav.profile')}</MenuItem>
      <MenuItem onClick={() => navigate({ to: places.password })}>{t('nav.password')}</MenuItem>
      <MenuLine />
      {isPhone && (
        <>
          <LanguageChoices />
          <ThemeChoices />
          <MenuLine />
        </>
      )}
      <MenuItem onClick={signOut}>{t('menu.signOut')}</MenuItem>
      {logo && (
        <p className="max-w-60 truncate px-2 pt-1.5 pb-1 text-[11px] text-ink-3">{`${logo.title} ${logo.version}`}</p>
      )}
    </Menu>
  )
}
