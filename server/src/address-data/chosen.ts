/** Which address data an operator's nodes use: what stands in its settings, by kind. */
import { z } from 'zod'
import type { Database } from '../db/database.ts'

/** The name under which the choice is saved, in documents of zones too. */
export const addressDataName = 'addressData'

/** Of each kind what is in use, and what was before; 0 for the release's. `before` is absent where nothing was chosen yet. */
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
