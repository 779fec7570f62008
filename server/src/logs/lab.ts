/**
 * Asking the lab edge: an nginx without public listeners, run beside the server, that explains a simulated request by the
 * very code that decides real ones. What it lacks is put into its folder first, as an agent does for a node.
 */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { Explanation, type SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import type { Logger } from 'pino'
import type { z } from 'zod'
import { askLab, putObject } from '../process/lab.ts'
import type { Rendered } from '../publish/render.ts'

/** What each guard says of the request under the artefact, or null where the lab is away or cannot say. */
export const explainInLab = (
  dataFolder: string,
  rendered: Rendered,
  request: SimulatedRequest,
  logger: Logger,
): Promise<Explanation | null> => askAbout(dataFolder, rendered, '/explain', { request }, Explanation, logger)

/** Asks a question about an artefact; null where the lab is away or cannot say. */
export async function askAbout<Told>(
  dataFolder: string,
  rendered: Rendered,
  path: string,
  question: object,
  told: z.ZodType<Told>,
  logger: Logger,
): Promise<Told | null> {
  const lab = join(dataFolder, 'lab')
  const socketPath = join(lab, 'run', 'control.sock')
  try {
    await access(socketPath)
  } catch {
    return null
  }
  try {
    const { hash, bytes } = rendered.artefact
    for (const [name, content] of [...rendered.objects, [hash, bytes] as const]) await putObject(lab, name, content)
    return told.parse(JSON.parse(await askLab(socketPath, path, JSON.stringify({ artefact: hash, ...question }))))
  } catch (error) {
    logger.warn({ err: error }, 'the lab did not explain')
    return null
  }
}
