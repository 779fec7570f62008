/** The filters of a site's domains, besides the name. */
import { cnameStatuses } from '@breakwater/contract/domains/bulk.ts'
import { domainDirectory } from '@breakwater/contract/domains/directory.ts'
import { certStatuses, ownershipStates } from '@breakwater/contract/domains/domains.ts'
import { z } from 'zod'
import { FilterBar } from '../kit/FilterBar.tsx'
import { SearchInput } from '../kit/Input.tsx'
import { Select } from '../kit/Select.tsx'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ListSearch } from '../platform/search-state.ts'

const dnsStates = Object.values(cnameStatuses)
const certificateStates = Object.values(certStatuses)
/** The maximum age, in hours. */
const agos = ['24', '168', '720', '2160'] as const
const hourMs = 3_600_000

/**
 * Epoch s, rounded to whole hours, so that the query key stays the same for a while and does not change with each
 * render.
 */
const since = (hours: string): number => (Math.floor(Date.now() / hourMs) - Number(hours)) * 3600

export const DomainSearch = ListSearch.extend({
  keywords: z.string().catch(''),
  status: z.literal([0, 1]).optional().catch(undefined),
  dns: z.literal(dnsStates).optional().catch(undefined),
  ownership: z.enum(ownershipStates).optional().catch(undefined),
  tag: z.string().catch(''),
  certificate: z.literal(certificateStates).optional().catch(undefined),
  forced: z.enum(['yes', 'no']).optional().catch(undefined),
  created: z.enum(agos).optional().catch(undefined),
  changed: z.enum(agos).optional().catch(undefined),
  sortBy: z.enum(['name', 'createdAt', 'updatedAt']).optional().catch(undefined),
})
type State = z.output<typeof DomainSearch>

/** The part of the search parameters that the call takes, without the page. */
export const domainQuery = (state: State) => {
  const { keywords, status, dns, ownership, tag, certificate, forced, created, changed, sortBy, orderBy } = state
  return {
    orderBy,
    ...(sortBy ? { sortBy } : {}),
    ...(keywords ? { keywords } : {}),
    ...(status === undefined ? {} : { status }),
    ...(dns === undefined ? {} : { cnameStatuses: [dns] }),
    ...(ownership ? { ownership } : {}),
    ...(tag ? { tags: [tag] } : {}),
    ...(certificate === undefined ? {} : { certStatus: certificate }),
    ...(forced ? { forceSSL: forced === 'yes' } : {}),
    ...(created ? { createdAtStart: since(created) } : {}),
    ...(changed ? { updatedAtStart: since(changed) } : {}),
  }
}

export const noDomainFilters = {
  keywords: '',
  status: undefined,
  dns: undefined,
  ownership: undefined,
  tag: '',
  certificate: undefined,
  forced: undefined,
  created: undefined,
  changed: undefined,
  page: 1,
}
export const hasFilters = (state: State): boolean =>
  Object.entries(noDomainFilters).some(([name, none]) => name !== 'page' && state[name as keyof State] !== none)

type Props = {
  siteId: number
  state: State
  go: (patch: Partial<State>, options?: { replace?: boolean }) => void
}

const any = -1
const more = ['certificate', 'forced', 'created', 'changed'] as const

type ChoiceProps<Name extends keyof State> = { value: State[Name]; onChange: (value: State[Name]) => void }

export function StateSelect({ value, onChange }: ChoiceProps<'status'>) {
  const t = usePhrases('domains')
  return (
    <Select
      label={t('filter.state')}
      value={value ?? any}
      onChange={(status) => onChange(status === any ? undefined : (status as 0 | 1))}
      options={[
        { value: any, label: t('filter.anyState') },
        { value: 1, label: t('state.on') },
        { value: 0, label: t('state.off') },
      ]}
    />
  )
}

export function OwnershipSelect({ value, onChange }: ChoiceProps<'ownership'>) {
  const t = usePhrases('domains')
  return (
    <Select
      label={t('filter.ownership')}
      value={value ?? ''}
      onChange={(ownership) => onChange(ownership === '' ? undefined : ownership)}
      options={[
        { value: '', label: t('filter.anyOwnership') },
        ...ownershipStates.map((state) => ({ value: state, label: t(`ownership.${state}`) })),
      ]}
    />
  )
}

export function DomainFilters({ siteId, state, go }: Props) {
  const t = usePhrases('domains')
  const tCertificates = usePhrases('certificates')
  const tags = useCall(domainDirectory.tags, { body: { siteIDs: [siteId] } }).data?.data ?? []
  const agoOptions = agos.map((value) => ({ value, label: t(`filter.ago.${value}`) }))
  const yesNo = (['yes', 'no'] as const).map((value) => ({ value, label: t(`filter.${value}`) }))
  const certificates = certificateStates.map((value) => ({
    value: String(value),
    label: tCertificates(`state.${certificateWords[value]}`),
  }))
  return (
    <>
      <SearchInput
        label={t('search')}
        value={state.keywords}
        onChange={(keywords) => go({ keywords, page: 1 }, { replace: true })}
      />
      <StateSelect value={state.status} onChange={(status) => go({ status, page: 1 })} />
      <Select
        label={t('filter.dns')}
        value={state.dns ?? any}
        onChange={(dns) => go({ dns: dns === any ? undefined : (dns as State['dns']), page: 1 })}
        options={[
          { value: any, label: t('filter.anyDns') },
          ...dnsStates.map((value) => ({ value: value as number, label: t(`dns.${value}`) })),
        ]}
      />
      <OwnershipSelect value={state.ownership} onChange={(ownership) => go({ ownership, page: 1 })} />
      {tags.length > 0 && (
        <Select
          label={t('filter.tag')}
          value={state.tag}
          onChange={(tag) => go({ tag, page: 1 })}
          options={[{ value: '', label: t('filter.anyTag') }, ...tags.map(({ tag }) => ({ value: tag, label: tag }))]}
        />
      )}
      {/* Its own margin belongs below this row. */}
      <div className="[&>div]:mb-0">
        <FilterBar
          filters={more
            .filter((name) => state[name] !== undefined)
            .map((name) => ({ field: name, not: false, values: [String(state[name])] }))}
          onChange={(filters) => {
            const found = Object.fromEntries(filters.map(({ field, values }) => [field, values.at(-1)]))
            // Parsed as the address is.
            go({ ...DomainSearch.pick(picked).parse({ ...found, certificate: numberOf(found.certificate) }), page: 1 })
          }}
          fields={[
            { field: 'certificate', label: tCertificates('certificate'), noNot: true, options: certificates },
            { field: 'forced', label: tCertificates('force'), noNot: true, options: yesNo },
            { field: 'created', label: t('filter.created'), noNot: true, options: agoOptions },
            { field: 'changed', label: t('filter.changed'), noNot: true, options: agoOptions },
          ]}
        />
      </div>
    </>
  )
}

const picked = { certificate: true, forced: true, created: true, changed: true } as const
const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))
const certificateWords = ['none', 'valid', 'expiring', 'expired', 'pending', 'failed'] as const
