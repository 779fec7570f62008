/** Which address data an operator's nodes use: its settings, by kind. */
import { z } from 'zod'
import type { Database } from '../db/database.ts'

/** The setting's name, also used in zone documents. */
export const addressDataName = 'addressData'

/**
 * For each kind, the data in use and the data used before; 0 is the release's. `before` is absent until one is chosen.
 */
const Chosen = z.object({ id: z.number().int(), before: z.number().int().optional() })
export const ChosenData = z.object({ countries: Chosen, networks: Chosen })
export type ChosenData = z.output<typeof ChosenData>

export const ofRelease: ChosenData = { countries: { id: 0 }, networks: { id: 0 } }

export async function readChosenData(db: Database, operatorId: number): Promise<ChosenData> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('owner', '=', 'operator')
    .where('ownerId', '=', operatorId)
    .where('name', '=', addressDataName)
    .executeTakeFirst()
  return row === undefined ? ofRelease : ChosenData.parse(row.value)
}
