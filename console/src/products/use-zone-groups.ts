/** The groups of all zones for one port type, as options. */
import { nodes } from '@breakwater/contract/nodes/nodes.ts'
import { zones } from '@breakwater/contract/zones/zones.ts'
import { useQueries } from '@tanstack/react-query'
import { queryOf, useCall } from '../platform/calls.ts'

export type ZoneGroupChoice = {
  id: number
  name: string
  groups: { id: number; name: string; isBackup: boolean }[]
}

export function useZoneGroups(portType: number): ZoneGroupChoice[] {
  const known = useCall(nodes.metaZones, {}).data?.data ?? []
  return useQueries({
    queries: known.map(({ id }) => queryOf(zones.groups, { zoneId: id })),
    combine: (answers) =>
      known.map((zone, at) => ({
        ...zone,
        groups: (answers[at]?.data?.data ?? []).filter((group) => group.portType === portType),
      })),
  })
}
