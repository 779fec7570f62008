/** The choices of language and theme: as menus of their own, and as parts of the account menu. */
import { Languages, SunMoon } from 'lucide-react'
import { IconButton } from '../kit/Button.tsx'
import { Menu, MenuChoices } from '../kit/Menu.tsx'
import { type Locale, locales, useLocale } from '../platform/locale.ts'
import { usePhrases } from '../platform/phrases.ts'
import { setTheme, themes, useTheme } from '../platform/theme.ts'

export function LanguageMenu() {
  const t = usePhrases('platform')
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

export function LanguageChoices() {
  const t = usePhrases('platform')
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
  const t = usePhrases('shell')
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

export function ThemeChoices() {
  const t = usePhrases('shell')
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
