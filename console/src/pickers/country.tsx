/** Whose data says where an address is: the attribution stands wherever a country shows. */

import { OutLink } from '../kit/Link.tsx'
import { usePhrases } from '../platform/phrases.ts'

export function CountryAttribution() {
  const t = usePhrases('statistics')
  return (
    <OutLink href="https://db-ip.com" className="text-ink-3 text-xs">
      {t('attribution')}
    </OutLink>
  )
}
