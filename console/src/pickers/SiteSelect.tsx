/** One site, or all of them, as the scope of a page. */
import { sites } from '@breakwater/contract/sites/sites.ts'
import { Select } from '../kit/Select.tsx'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

export function SiteSelect({
  value,
  onChange,
}: {
  value: number | undefined
  onChange: (site: number | undefined) => void
}) {
  const t = usePhrases('statistics')
  const { data } = useCall(sites.meta, {})
  const options = [
    { value: 0, label: t('site.all') },
    ...(data?.data ?? []).map(({ siteID, siteName }) => ({ value: siteID, label: siteName })),
  ]
  return (
    <Select
      label={t('site')}
      named
      value={value ?? 0}
      onChange={(next) => onChange(next || undefined)}
      options={options}
      className="max-w-[280px]"
    />
  )
}
