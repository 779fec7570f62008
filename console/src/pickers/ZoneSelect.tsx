/** One of the operator's zones, or all of them, as the scope of a page. */
import { nodes } from '@breakwater/contract/nodes/nodes.ts'
import { Select } from '../kit/Select.tsx'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'

type Props = { value: number | undefined; onChange: (zone: number | undefined) => void }

export function ZoneSelect({ value, onChange }: Props) {
  const t = usePhrases('statistics')
  const mayRead = useMay()('zones.read')
  const { data } = useCall(nodes.metaZones, {}, { enabled: mayRead })
  if (!mayRead) return null
  return (
    <Select
      label={t('zone')}
      named
      value={value ?? 0}
      onChange={(next) => onChange(next || undefined)}
      options={[
        { value: 0, label: t('zone.all') },
        ...(data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
      className="max-w-[280px]"
    />
  )
}
