/** The attribution of the address data, required wherever a country is shown. */

import { OutLink } from '../kit/Link.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { useSelf } from '../platform/session.ts'

export function CountryAttribution() {
  const t = usePhrases('statistics')
  const { countries } = useSelf().addressCredits
  const [ending = '', url] = /[\s,]*(https:\/\/\S+)$/.exec(countries) ?? []
  const words = t('attribution', { credit: countries.slice(0, countries.length - ending.length) || countries })
  if (url === undefined) return <span className="text-ink-3 text-xs">{words}</span>
  return (
    <OutLink href={url} className="text-ink-3 text-xs">
      {words}
    </OutLink>
  )
}
