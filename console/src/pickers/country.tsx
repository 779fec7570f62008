/** Whose data says where an address is: the attribution stands wherever a country shows. */

import { OutLink } from '../kit/Link.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { useSelf } from '../platform/session.ts'

export function CountryAttribution() {
  const t = usePhrases('statistics')
  const { countries } = useSelf().addressCredits
  const address = /https:\/\/\S+$/.exec(countries)?.[0]
  const words = t('attribution', { credit: countries.replace(/[\s,]*https:\/\/\S+$/, '') || countries })
  if (address === undefined) return <span className="text-ink-3 text-xs">{words}</span>
  return (
    <OutLink href={address} className="text-ink-3 text-xs">
      {words}
    </OutLink>
  )
}
