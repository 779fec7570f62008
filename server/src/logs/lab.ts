/**
 * The lab edge: an nginx without public listeners, run next to the server, that explains a simulated request with the
 * same code that decides real ones. Objects that it lacks are put into its folder first, as an agent does for a node.
 */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { Explanation, type SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import type { Logger } from 'pino'
import type { z } from 'zod'
import { askLab, putObject } from '../process/lab.ts'
import type { Rendered } from '../publish/render.ts'

/** The result of each guard for the request under the artefact, or null if the lab is unreachable or fails. */
export const explainInLab = (
  dataFolder: string,
  rendered: Rendered,
  request: SimulatedRequest,
  logger: Logger,
): Promise<Explanation | null> => askAbout(dataFolder, rendered, '/explain', { request }, Explanation, logger)

/** Sends the lab a question about an artefact; null if the lab is unreachable or fails. */
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
