/** Filters by port type and version, shown only if the nodes of a zone have more than one. */
import { nodes } from '@breakwater/contract/nodes/nodes.ts'
import { Select } from '../kit/Select.tsx'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

type Chosen = { portType: 4 | 7 | undefined; version: string }

const portTypes = [7, 4] as const
/** How many nodes are inspected to find the filter options. */
const lookedAt = 500

export function NodeFilters({
  zoneId,
  chosen,
  go,
}: {
  zoneId: number
  chosen: Chosen
  go: (patch: Partial<Chosen>) => void
}) {
  const t = usePhrases('nodes')
  const all = useCall(nodes.initialized, { query: { zoneIDs: [zoneId], pageSize: lookedAt } }, { enabled: zoneId > 0 })
  const rows = all.data?.data ?? []
  const versions = [...new Set([...rows.map(({ version }) => version), chosen.version])].filter(Boolean).sort()
  const types = portTypes.filter((type) => type === chosen.portType || rows.some(({ portType }) => portType === type))
  return (
    <>
      {(types.length > 1 || chosen.portType !== undefined) && (
        <Select
          label={t('group.portType')}
          value={chosen.portType ?? 0}
          onChange={(next) => go({ portType: portTypes.find((one) => one === next) })}
          options={[
            { value: 0, label: t('nodes.anyType') },
            ...types.map((value) => ({ value: value as number, label: t(`group.portType.${value}`) })),
          ]}
        />
      )}
      {(versions.length > 1 || chosen.version !== '') && (
        <Select
          label={t('version')}
          value={chosen.version}
          onChange={(next) => go({ version: next })}
          options={[{ value: '', label: t('nodes.anyVersion') }, ...versions.map((value) => ({ value, label: value }))]}
        />
      )}
    </>
  )
}
