/** Narrows statistics beyond the site: one of its domains, or the domains with a tag. */
import { domainDirectory } from '@breakwater/contract/domains/directory.ts'
import { Select } from '../../kit/Select.tsx'
import { useCall } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { useMay } from '../../platform/session.ts'
import type { ViewState } from './view.ts'

type Props = { state: ViewState; go: (patch: Partial<ViewState>) => void }

export function DomainScope({ state, go }: Props) {
  return (
    <>
      <DomainSelect state={state} go={go} />
      <TagSelect state={state} go={go} />
    </>
  )
}

/** For a single site: selects one of its domains. */
function DomainSelect({ state: { site, domain }, go }: Props) {
  const t = usePhrases('statistics')
  const mayRead = useMay()('domains.read')
  const body = { siteIDs: site === undefined ? [] : [site] }
  const { data } = useCall(domainDirectory.meta, { body }, { enabled: site !== undefined && mayRead })
  if (!data || data.data.length === 0) return null
  return (
    <Select
      label={t('domain')}
      named
      value={domain ?? 0}
      onChange={(next) => go({ domain: next || undefined })}
      options={[{ value: 0, label: t('domain.all') }, ...data.data.map(({ id, name }) => ({ value: id, label: name }))]}
      className="max-w-[280px]"
    />
  )
}

/** If domains have tags: selects those with one of them. */
function TagSelect({ state: { site, tag }, go }: Props) {
  const t = usePhrases('statistics')
  const mayRead = useMay()('domains.read')
  const body = { siteIDs: site === undefined ? [] : [site] }
  const tags = useCall(domainDirectory.tags, { body }, { enabled: mayRead }).data?.data ?? []
  return (
    <Select
      label={t('tag')}
      named
      value={tag}
      onChange={(next) => go({ tag: next })}
      options={[
        { value: '', label: t('tag.all') },
        ...[...new Set([...tags.map((one) => one.tag), ...(tag ? [tag] : [])])].map((value) => ({
          value,
          label: value,
        })),
      ]}
      className="max-w-[280px]"
    />
  )
}
