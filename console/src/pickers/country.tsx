/** Countries by name, and whose data says so: the attribution stands wherever a country shows. */
import { useMemo } from 'react'
import { tagOf, useLocale } from '../app/locale.ts'
import { usePhrases } from '../app/phrases.ts'
import { OutLink } from '../kit/Link.tsx'

/** `ZZ` is what the edge writes for an address that no data knows. */
export function useCountryName(): (code: string) => string {
  const { locale } = useLocale()
  return useMemo(() => {
    const names = new Intl.DisplayNames(tagOf(locale), { type: 'region', fallback: 'code' })
    return (code) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code)
  }, [locale])
}

export function CountryAttribution() {
  const t = usePhrases('statistics')
  return (
    <OutLink href="https://db-ip.com" className="text-ink-3 text-xs">
      {t('attribution')}
    </OutLink>
  )
}
