/** The zone whose settings are open, from the URL. */
import { useParams } from '@tanstack/react-router'

export type ZoneHere = { id: number; name: string }

export function useZoneHere(): ZoneHere | undefined {
  const { zoneId, zoneName } = useParams({ strict: false }) as { zoneId?: string; zoneName?: string }
  const id = Number(zoneId)
  return Number.isInteger(id) && id > 0 ? { id, name: zoneName ?? String(id) } : undefined
}
