/**
 * Asking the lab edge: an nginx without public listeners, run beside the server, that explains a simulated request by the
 * very code that decides real ones. What it lacks is put into its folder first, as an agent does for a node.
 */
import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { type Agent, request as httpRequest } from 'node:http'
import { dirname, join } from 'node:path'
import { Explanation, type SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Rendered } from '../publish/render.ts'

const patienceMs = 3_000
const answerBytesMax = 1_000_000

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

export const labObjectPath = (lab: string, hash: string): string => join(lab, 'objects', hash.slice(0, 2), hash)

/** Objects never change: one that is there is right. Returns whether it was new. */
export async function putObject(lab: string, hash: string, bytes: Buffer): Promise<boolean> {
  const path = labObjectPath(lab, hash)
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere) return false
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${crypto.randomUUID()}`
  await writeFile(draft, bytes, { mode: 0o644 })
  await rename(draft, path)
  return true
}

/** Posts JSON to the lab's control socket and returns the answer. Throws where it is none, or another than 200. */
export function askLab(
  socketPath: string,
  path: string,
  json: string,
  { agent, timeout = patienceMs }: { agent?: Agent; timeout?: number } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', host: 'lab' }
    const options = { socketPath, path, method: 'POST', headers, timeout, ...(agent && { agent }) }
    const request = httpRequest(options, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) {
        text += chunk
        if (text.length > answerBytesMax) return request.destroy(new Error('the answer is too long'))
      }
      if (response.statusCode === 200) resolve(text)
      else reject(new Error(`answered ${response.statusCode}: ${text.slice(0, 200)}`))
    })
    request.on('timeout', () => request.destroy(new Error('took too long')))
    request.on('error', reject)
    request.end(json)
  })
}
