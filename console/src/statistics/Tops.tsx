/** The top lists. Each row leads to the log, with that value or without it. */
import { statistics, topTypes } from '@breakwater/contract/statistics/statistics.ts'
import { useNavigate } from '@tanstack/react-router'
import { useCall } from '../app/calls.ts'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { TopList } from '../kit/TopList.tsx'
import { CountryAttribution, useCountryName } from '../pickers/country.tsx'

type Scope = { siteIDs: number[]; startTime: number; endTime: number }
type Name = 'url' | 'country' | 'attackIPs' | 'blockCountry' | 'userAgent' | 'referer'

/** The log's filter of a list, where it has one. */
const filters: Partial<Record<Name, string>> = {
  url: 'url',
  country: 'country',
  attackIPs: 'ip',
  blockCountry: 'country',
}
const names: Name[] = ['url', 'country', 'attackIPs', 'blockCountry', 'userAgent', 'referer']

export function Tops({ scope, site }: { scope: Scope; site: number | undefined }) {
  return (
    <div className="mt-3 grid gap-3 lg:grid-cols-2 xl:grid-cols-3">
      {names.map((name) => (
        <Top key={name} name={name} scope={scope} site={site} />
      ))}
    </div>
  )
}

function Top({ name, scope, site }: { name: Name; scope: Scope; site: number | undefined }) {
  const t = usePhrases('statistics')
  const places = usePlaces()
  const navigate = useNavigate()
  const countryOf = useCountryName()
  const { data } = useCall(statistics.top, { body: { type: topTypes[name], top: 8, ...scope } })
  const filter = filters[name]
  const isCountry = filter === 'country'
  const open = (not: boolean) => (value: string) =>
    void navigate({
      to: places.logs,
      search: {
        view: 'search',
        site,
        from: scope.startTime,
        to: scope.endTime,
        f: [`${not ? '-' : ''}${filter}:${value}`],
      } as never,
    })
  return (
    <TopList
      title={t(`top.${name}`)}
      unit={t('requests')}
      rows={data?.data}
      {...(isCountry ? { nameOf: countryOf, note: <CountryAttribution /> } : {})}
      {...(filter ? { onOnly: open(false) } : {})}
      {...(filter && filter !== 'url' ? { onExclude: open(true) } : {})}
    />
  )
}
