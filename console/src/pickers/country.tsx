/** Whose data says where an address is: the attribution stands wherever a country shows. */
import { usePhrases } from '../app/phrases.ts'
import { OutLink } from '../kit/Link.tsx'

export function CountryAttribution() {
  const t = usePhrases('statistics')
  return (
    <OutLink href="https://db-ip.com" className="text-ink-3 text-xs">
      {t('attribution')}
    </OutLink>
  )
}
