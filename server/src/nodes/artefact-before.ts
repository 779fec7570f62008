/** The one place where the gate asks publishing for an artefact of the schema before. */
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { type Before, artefactBefore as render } from '../publish/render-before.ts'

/**
 * An artefact of the schema before, or why there is none. A site that cannot be rendered is that site's trouble alone:
 * the rest of the page goes out. What the database refuses is thrown, for it ended the transaction. Runs as the system.
 */
export async function artefactBefore(db: Database, artefact: Buffer, logger: Logger): Promise<Before> {
  try {
    return await render(db, artefact)
  } catch (error) {
    if ((error as { code?: unknown }).code !== undefined) throw error
    logger.error({ err: error, artefact: artefact.toString('hex') }, 'cannot render for the schema before')
    return { ineligible: 'cannot be rendered for this version of the agent' }
  }
}
